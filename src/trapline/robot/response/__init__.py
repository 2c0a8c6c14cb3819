"""From an answer to results: a page for the collection, an observation, a note of the visit.

In: a `Fetched` with its `Reading`. Out: a `Processed`.
"""
