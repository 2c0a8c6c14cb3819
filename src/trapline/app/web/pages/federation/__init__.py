"""Pages of a broker: results of several engines, and the engines that it knows.

In: a broker and the folder that it serves. Out: HTML for people.
"""
