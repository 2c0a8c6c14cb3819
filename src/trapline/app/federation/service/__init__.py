"""Service management of a folder: what its broker's past queries suggest, and taking it over.

In: the query memory and the engines that the broker knows. Out: suggestions (oasis/service), and
examples, counter-examples and seeds for the folder's own topic.
"""
