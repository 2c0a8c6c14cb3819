"""What leaves an engine: changes told to files, feeds and webhooks, WARC files, exports.

In: what the store has committed, or answers as they arrive. Out: files and HTTP requests.
"""
