"""Filling a knapsack whose materials are worth less the more of them there is (paper `htraa`,
sections 2 and 3): the exact mix, and the chance of every state of the automaton that learns it.
"""
