"""Good behaviour: robots.txt, gaps, learnt pace, and addresses that may be contacted.

In: what hosts say and how they answer. Out: what we may do, and when.
"""
