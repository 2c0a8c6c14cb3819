"""Ranking: the pages of an index that answer a query, best first, and why.

In: a query as it was understood, an index at one moment. Out: numbers of pages with their scores.
"""
