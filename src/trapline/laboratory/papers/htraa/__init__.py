"""Granmo & Oommen, "Learning Automata-based Solutions to the Optimal Web Polling Problem": how
often to poll a page.

The paper's pictures are not in our text of it, its words are: every experiment sets them beside
what we find. `fig_5.py` … `fig_11_12.py` are Figures 5–12, their claims files judge what the paper
says of them. `chain.py` sets the Markov chain of one automaton beside its states, `knapsack.py` is
section 2 at large, without polls, and `irregular.py` a remark on Figures 9 and 10. `scale.py` is
our own: `posterior` on up to a million pages. What polls uses study/courses.py (what a policy
detects as polls go by).
"""
