"""This engine as others ask it: OpenSearch 1.1, and as if it were a SearXNG.

In: requests of search engines, feed readers and browsers. Out: the description by which they add
this engine, results as Atom or RSS feeds, and as the JSON of SearXNG.
"""
