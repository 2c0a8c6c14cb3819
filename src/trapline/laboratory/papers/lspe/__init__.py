"""Avrachenkov & Borkar, "A learning algorithm for the Whittle index policy …" (Allerton 2019): the
rates unknown.

`run.py` is the loop of its actor-critic (policies/refresh/slots/lspe.py).
Experiments: `table_1.py` (its
numerical experiment, over many seeds), `learners.py` (all policies for ephemeral sources;
`learners_report.py` is the analysis), `lifetime.py` (content that is dropped after M slots).
"""
