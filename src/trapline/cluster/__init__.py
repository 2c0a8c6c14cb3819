"""Shards: one crawl in many parts, run by workers on one machine or many, under one budget.

In: a ledger, and whoever opens the engine of a shard. Out: shards that are run by one owner each,
letters that reach them, and rates at which all pay one price.
"""
