"""All sockets to the Web: the HTTP fetcher, address checks, credentials, failures by name.

In: a `Request`. Out: a `Fetched`, never an exception.
"""
