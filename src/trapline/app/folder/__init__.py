"""An engine's folder seen from outside: status, metrics, search, files that people append to.

In: a folder, perhaps one that a robot is filling right now. Out: answers; lines in
`orders.jsonl` and `labels.jsonl`.
"""
