"""The store of one shard in PostgreSQL.

In: batches of the shard's owner, each in one transaction that first looks whether it still is the
owner. Out: records as they were written. `store.py` writes, `reader.py` reads.
"""
