"""The robot in real time: the loop, its clock, reader processes, and commits to disk.

In: controllers, a fetcher and a collection. Out: visits made, and their results committed.
"""
