"""An index in parts: which pages a part holds, and what it says to whoever asks all parts.

In: URLs of pages; questions with the rarities of all parts. Out: whether a part holds a page;
counts of words, rows before copies are folded, hits.
"""
