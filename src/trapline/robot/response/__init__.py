"""From an answer to results: a page for the collection, an observation, a note of the visit.

In: a `Fetched`, and its `Reading` if another process has read it. Out: a `Processed`. The response
processor decides what an answer means; it asks `PageRules` what may be kept, `LinkNumbers` for the
pages that links lead to, `Judge` for relevance, `PageNoise` whether a difference is news, `Aliases`
and `MissingPages` for what it has seen before.
"""
