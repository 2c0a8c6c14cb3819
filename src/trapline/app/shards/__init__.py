"""Crawls in shards: the engine of a shard, workers, and who starts them.

In: settings, and a folder or the address of a store. Out: workers that run all shards under one
budget.

`seat.py` is an engine's place among the shards, `shard_engine.py` puts it together,
`worker_process.py` runs some of them in a process, `supervisor.py` and `ray_workers.py` start such
processes on this machine and on others, `splitting.py` doubles the shards.
"""
