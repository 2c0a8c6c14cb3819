"""The search page, its results, filters and states, and the stored text of a page.

In: questions as the URL has them, and answers of the query processor. Out: HTML.
"""
