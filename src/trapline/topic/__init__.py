"""The topic: what pages should be about, and how relevant a page or link is.

In: words, examples, labels. Out: relevance in [0, 1].
"""
