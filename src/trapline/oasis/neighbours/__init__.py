"""Engines of other makes: SearXNG, whatever speaks OpenSearch 1.1, and older Traplines.

In: bytes that a stranger answered, or by which it describes itself. Out: the address to ask next,
and hits; at most so many and so long, whatever was sent. They score by no table of ours, so they
are merged by their ranks.
"""
