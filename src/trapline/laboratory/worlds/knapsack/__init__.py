"""Materials that fill a knapsack (paper `htraa`, section 2), of which polled pages are one case.

In: how likely an access to each material is worth 1 at each amount. Out: the same as a table that a
compiled loop can ask, and the best mix.
"""
