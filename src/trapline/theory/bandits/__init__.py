"""Small restless bandits solved exactly (paper `omeara`, eqs. 4–8), as a reference for every price
of the project: what an index says of a page, dynamic programming says too, without its formula.

In: rewards and chances of moves between a few states. Out: values, exact indices, and the optimum
of up to six arms.
"""
