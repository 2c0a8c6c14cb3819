"""Statistics: what an index tells others of its words, and what it is told of them.

In: an index, pages, a query. Out: rows of term statistics, the words of pages with their weights,
the stems of a query, and rarities as they travel with it.
"""
