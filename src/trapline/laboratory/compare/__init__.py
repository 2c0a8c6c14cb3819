"""Comparisons: `trapline lab compare` puts policies side by side in one world.

In: wishes (policies, a world, polls or steps, seeds). Out: a `Report` with a row for each policy.
Each of `polling`, `traces` and `discovery` runs the cases; its `…_report` makes table and figure.
"""
