"""`trapline engines`: a folder among other engines, one file a verb, put together in `group.py`.

In: a folder. Out: what is known of other engines, printed for people or as JSON.
"""
