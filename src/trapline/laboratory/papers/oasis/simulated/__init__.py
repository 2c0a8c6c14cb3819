"""Oasis in worlds of the laboratory: what a federation costs, and how it bears deaths and lies.

In: a federation world (`worlds/federation`) and a broker in pretend time
(`runs/federated_search.py`). Out: tables and figures with intervals over seeds. `cost.py`,
`life.py` and `liars.py` are the experiments; each has its runs and its picture beside it.
"""
