"""Stores: what one engine holds, on disk (SQLite and checkpoint files) or in memory.

In: batches, written whole or not at all. Out: records as they were written.
"""
