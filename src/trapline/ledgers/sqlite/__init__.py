"""The ledger of one machine: the file `ledger.sqlite`, which several processes write at once.

In: a folder. Out: `SqliteLedger`, put together from one class for each thing that it keeps.
"""
