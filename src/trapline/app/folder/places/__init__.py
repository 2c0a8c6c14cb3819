"""What a folder stands for: an engine of one process, a crawl in shards, or one in PostgreSQL.

In: a folder, or the address of a store. Out: one store to read, what the shards say of themselves,
and where people's orders and labels go.
"""
