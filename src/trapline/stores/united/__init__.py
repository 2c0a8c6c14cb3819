"""The stores of all shards of a crawl, read as one.

In: the stores of the shards, in order. Out: a store to read, in which pages and hosts have numbers
of their own, and changes are followed over all shards.
"""
