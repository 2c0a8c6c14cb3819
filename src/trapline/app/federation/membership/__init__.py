"""Membership: an engine that has joined directories.

In: what the folder has joined (`oasis.json`), the engine's description as it is now. Out: signed
statements to the directories, again and again, and how it goes with each.
"""
