"""Membership: a folder that has joined directories, or knows other engines by a fixed list.

In: what the folder has joined (`oasis.json`), its own description. Out: signed statements to
directories, again and again; and other engines, checked, to whoever listens.
"""
