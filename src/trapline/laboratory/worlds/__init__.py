"""Worlds: simulated webs whose truth is known, drawn from a seed.

In: parameters and a seed. Out: pages, links, changes and documents, the same for whoever asks.
"""
