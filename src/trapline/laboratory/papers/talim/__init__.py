"""Talim, Liu, Nain & Coffman, "Controlling Robots of Web Search Engines" (1999): how many fetchers
to run.

`printed.py` is what the paper prints. Experiments: `table_1_2.py` (Tables 1 and 2), `fig_2_to_5.py`
(a fixed number of fetchers), `fig_6_to_8.py` (fetchers woken one by one), `claims.py` (its lemmas,
the unproved ones among them), `learners.py` (policies that are not told the rates).
`…_picture(s).py` draw.
"""
