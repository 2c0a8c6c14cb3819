"""The ledger of many machines: tables of a crawl in PostgreSQL.

In: a database. Out: `PostgresLedger`, put together from one class for each thing that it keeps.
All times are the server's own; each method is one transaction and leaves nothing in the session.
"""
