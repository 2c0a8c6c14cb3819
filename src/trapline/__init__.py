"""Trapline: a polite, topic-specific web robot and search engine.

It decides what to fetch next, when to come back, and how many fetchers to run; the laboratory in
the same package reproduces the papers behind those decisions with the very objects that drive the
live robot.
"""

__version__ = "0.1.0"
