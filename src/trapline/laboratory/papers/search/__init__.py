"""Search: what each factor of the ranking is worth, on known items made out of a collection.

In: an engine's folder, or a web of the laboratory. Out: tables.
"""
