"""Oasis: a collection cut into engines by topic, which of them to ask, and how to merge them.

In: an engine's folder, or a web of the laboratory. Out: tables and figures.
"""
