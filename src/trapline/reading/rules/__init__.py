"""Rules that people give for reading pages: which parts count, what is picked out of them.

Comes in: a page and its `ReadingRules`. Goes out: the text that is left, the fields that were
found, and whether the text is the one that is waited for. Expressions of people run here, so this
belongs into a reader process, which has a time limit (live/reader.py).
"""
