"""Ledgers: what the shards of a crawl share, in an SQLite file or in PostgreSQL.

In: claims, bids and letters. Out: who owns which shard, what it may spend, what waits for it.
"""
