"""Parts of an index: pages by the hash of their URL, and rows before copies are folded.

In: a part and a question. Out: what a front needs to merge the answers of all parts.
"""
