"""Commands around a watch: the list that is watched, and what has changed on its pages.

In: words of the command line. Out: calls of `app/crawl` and `app/folder`.
"""
