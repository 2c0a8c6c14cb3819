"""An engine's folder seen from outside: status, metrics, search, and files that people append to.

In: a folder, perhaps one that a robot is filling right now. Out: answers, and lines in
`orders.jsonl` and `labels.jsonl`.
"""
