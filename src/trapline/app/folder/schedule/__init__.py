"""The robot's schedule read from outside: what it plans, what it has learnt, how it is doing.

In: a folder, perhaps one that a robot is filling right now. Out: what `why`, `plan` and the
dashboard are made from.
"""
