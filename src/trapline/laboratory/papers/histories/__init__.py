"""Histories: who keeps real pages fresh, replayed from recorded changes.

No paper of ours, but what the papers' rules and those of other robots are for. In: folders of
histories (worlds/traces.py), all refresh policies of the registry. Out: `leaderboard.py`, a table
of all of them on all histories, drawn by `leaderboard_picture.py`.
"""
