"""WARC files: whole answers as they came.

In: answers of a fetcher. Out: files of ISO 28500.
"""
