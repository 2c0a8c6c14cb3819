"""Policies: one algorithm, one file, found by name in `registry.py`.

`refresh/` decides when to come back, `discovery/` what to fetch first, `fetchers/` how many
fetchers to run. In: what visits taught. Out: offers on cards, scores, or a table of wake-ups.
"""
