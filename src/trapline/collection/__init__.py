"""What we hold: documents, URL numbers, copies and differences on their way to the store.

In: pages and notes of visits. Out: batches for the store, and a view that already sees them.
"""
