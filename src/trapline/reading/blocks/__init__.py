"""The blocks of a page, and which of them are its main content.

In: the tree of a page. Out: its text, one block a line. `block_walk` goes over the page once and
notes blocks and the elements around them.
"""
