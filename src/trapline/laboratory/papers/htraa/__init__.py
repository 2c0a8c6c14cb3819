"""Granmo & Oommen, "Learning Automata-based Solutions to the Optimal Web Polling Problem": how
often to poll a page.

The paper's pictures are not in our text of it, its words are: every experiment sets them beside
what we find. Figure 5 is `modes.py`, 6–8 `static.py`, 9 and 10 `switching.py`, 11 and 12
`scaling.py`. They share `courses.py` (runs and what they detect), `claims.py` (what the paper says,
judged by the numbers) and `pictures.py`.
"""
