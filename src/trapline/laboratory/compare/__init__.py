"""Policies against each other in one world: `trapline lab compare`."""
