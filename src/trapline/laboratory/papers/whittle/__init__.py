"""Avrachenkov & Borkar, "Whittle Index Policy for Crawling Ephemeral Content" (CDC 2015): when to
come back.

What the paper prints is in worlds/ephemeral_table.py. Experiments: `table_1.py` (Table I and the
rewards in the text), `fig_1_to_4.py` (Figures 1–4, run through the request controller), `price.py`
(on the continuous clock, the agenda's price beside the bound's). `pictures.py` draws.
"""
