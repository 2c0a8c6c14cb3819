"""Who runs the workers of a crawl: our own supervisor, or Ray; and a worker's process.

In: settings, and where the crawl is kept. Out: processes that own shards; who dies is started anew.
"""
