"""O'Meara & Patel, "A Topic-Specific Web Robot Model Based on Restless Bandits": what to fetch
next.

`fig_3.py` and `fig_4_5.py` are its figures; they share `traversal_runs.py` (graphs, cases and what
they earn) and `fig_3_to_5_pictures.py`. `generalise.py` goes through webs that no policy has seen,
`full_model.py` is the paper's model with births, changes and deaths. The paper's pictures are not
in our text of it; its words are, and three of its numbers.
"""
