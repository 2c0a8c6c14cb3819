"""Talim, Liu, Nain & Coffman, "Controlling Robots of Web Search Engines" (1999): how many fetchers
to run.

`printed.py` is what the paper prints. Experiments: `tables.py` (Tables 1 and 2),
`static_figures.py` (Figures 2–5, a fixed number of fetchers), `dynamic_figures.py` (Figures 6–8,
fetchers woken one by one), `claims.py` (its lemmas, the unproved ones among them).
`table_figures.py` and `sheet.py` draw.
"""
