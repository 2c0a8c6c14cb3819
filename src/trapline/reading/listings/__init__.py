"""Listings: sitemaps and feeds, which say where pages are and when they changed.

In: the body of an answer. Out: a `Listing` of entries.
"""
