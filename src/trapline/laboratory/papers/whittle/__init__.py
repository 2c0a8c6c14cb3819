"""Avrachenkov & Borkar, "Whittle Index Policy for Crawling Ephemeral Content" (CDC 2015): when to
come back.

`printed.py` is what the paper prints. Experiments: `table.py` (Table I and the rewards in the
text), `figures.py` (Figures 1–4, run through the request controller), `pictures.py` (how they are
drawn), `price.py` (on the continuous clock, the agenda's price beside the bound's).
"""
