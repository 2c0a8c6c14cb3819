"""One policy, one file. A policy writes offers on cards; the agenda buys (CONTRIBUTING.md: add one in three steps)."""
