"""Doubling the shards of a crawl that is at rest.

In: the stores of all shards. Out: twice as many, each with the hosts that are its own by now.
"""
