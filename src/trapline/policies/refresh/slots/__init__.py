"""Policies that choose in slots, as the papers `whittle` and `lspe` do: for the laboratory.

In: what each visit of a slot brought. Out: the source to visit next in this slot.
"""
