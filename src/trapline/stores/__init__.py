"""Stores: durable memory of one engine (SQLite) or none at all (memory).

In: batches, written whole or not at all. Out: records as they were written.
"""
