"""The pages of a watch: by which rules they are read, and a list that changes while it runs.

Comes in: the settings of a watch, and its files when they change. Goes out: rules for the reader,
names for whoever tells of changes, and calls of the journal.
"""
