"""What more or less budget would buy.

In: a folder. Out: a `Plan`, for the terminal, the page and the API.
"""
