"""PostgreSQL: addresses, connections, the tables of a crawl, and what its errors mean to people.

In: an address. Out: a connection that comes back when the server does. Stores and ledgers use it.
"""
