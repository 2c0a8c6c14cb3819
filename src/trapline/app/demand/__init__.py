"""Demand: what is asked of a collection, and what is opened, counted without who.

In: queries and pages opened, from the servers of a folder. Out: counts in `demand.sqlite`, beside
the store, for ranking and for whoever decides what to hold. No addresses are kept, and no times
finer than a day.
"""
