"""Search: the full-text index and the query processor.

In: committed documents; a query. Out: hits with snippets.
"""
