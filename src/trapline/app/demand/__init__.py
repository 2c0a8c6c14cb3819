"""Demand: what is asked of a collection, and what is opened, counted without who.

In: queries, pages shown and pages opened, from the servers of a folder. Out: counts in
`demand.sqlite`, beside the store, for the robot, to which a page that is asked for is worth more,
and for whoever decides what to hold. No addresses are kept, and no times finer than a day.
"""
