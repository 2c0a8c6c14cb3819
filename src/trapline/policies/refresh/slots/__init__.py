"""Policies that choose in slots, as the papers `whittle` and `lspe` do: for the laboratory, but for
`lspe` from rewards alone (lspe_from_rewards.py), which needs to be told nothing and runs live.

In: what each visit of a slot brought. Out: the source to visit next in this slot.
"""
