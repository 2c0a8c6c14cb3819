"""Policies for the number of fetchers: one rule, one file, found by name in registry.py."""
