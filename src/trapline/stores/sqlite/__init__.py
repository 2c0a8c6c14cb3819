"""The store of one engine, or of one shard, in an SQLite file.

In: batches. Out: records as they were written. `store.py` writes, `reader.py` reads.
"""
