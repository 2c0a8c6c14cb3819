"""The server of a front (app/parts): search over all parts of an index.

In: the parts, who are asked over HTTP. Out: the search page, the search API, health; and what one
part can say of the whole collection, passed on from it.
"""
