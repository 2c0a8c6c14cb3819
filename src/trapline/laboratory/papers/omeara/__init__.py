"""O'Meara & Patel, "A Topic-Specific Web Robot Model Based on Restless Bandits": what to fetch
next.

Figure 3 is `traversals.py`, 4 and 5 are `first_fetches.py`. They share `runs.py` (graphs,
contenders and what they earn) and `pictures.py`. The paper's pictures are not in our text of it;
its words are, and three of its numbers.
"""
