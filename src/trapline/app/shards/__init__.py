"""Crawls in shards: the engine of a shard, and what a crawl of many shards tells people.

In: settings, and a folder or the address of a store. Out: workers that run all shards under one
budget.

`seat.py` is an engine's place among the shards, `shard_engine.py` puts it together, `crew/` runs
some of them in a process and starts such processes, `splitting/` doubles the shards.
"""
