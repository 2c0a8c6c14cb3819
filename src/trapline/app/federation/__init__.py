"""Federation: a folder among other engines.

In: the folder's key, its index, what it has joined, what others say. Out: signed descriptions and
statements, other engines that are known and checked, and answers of several engines as one.
"""
