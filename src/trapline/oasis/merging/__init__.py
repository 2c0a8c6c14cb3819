"""Merging: the answers of several engines as one list.

In: bytes that engines answered, the words of the query with the federation's rarities. Out: one
list of hits with everybody who told them, and findings on engines that told what cannot be. What
an engine says is never trusted: it is read within bounds, its scores are cut to what title and
snippet bear out, and a page that several tell is shown as most of them tell it.
"""
