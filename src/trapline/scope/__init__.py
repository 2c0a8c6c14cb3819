"""Scope: which URLs get a page number at all.

In: URLs found. Out: yes or no, and why. Hosts, patterns, depth, crawler traps.
"""
