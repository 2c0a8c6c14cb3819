"""What leaves an engine while it runs: change records, feeds, webhooks and WARC files.

In: what the store has committed, or answers as they arrive. Out: files and HTTP requests.
"""
