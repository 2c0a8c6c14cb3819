"""Discovery on a known web graph (paper `omeara`): what no schedule of fetches exceeds, and what to
compare with.
"""
