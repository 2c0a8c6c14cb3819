"""Polls that pages ask for, kept in the tree that takes the turns (fluid_edf.py): for automata that
share out polls in proportion to a number of each page.

What a page asks for is Σx times the shares on the way to its leaf; Σx itself is kept in
tree[0, SHARE], which is no node's. One page can ask for more or less, and all others ask for what
they did.

>>> import numpy as np
>>> from trapline.policies.refresh.automata.fluid_edf import leaf_shares, plant_tree
>>> tree = plant_tree(np.array([0.5, 0.25, 0.25]))
>>> tree[0, SHARE] = 1.0
>>> ask(tree, 1, 0.25)
>>> [round(asked_at(tree, leaf), 9) for leaf in range(3)], leaf_shares(tree).round(9).tolist()
([0.5, 0.5, 0.25], [0.4, 0.4, 0.2, 0.0])
"""

from __future__ import annotations

from trapline.policies.refresh.automata.fluid_edf import (
    SHARE,
    left_share,
    refresh_path,
    settle_path,
)
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.kernel import bare_kernel


@bare_kernel
def asked_at(tree: Floats, leaf: int) -> float:
    """What the page on a leaf asks for."""
    asked = float(tree[0, SHARE])
    node = 1
    bit = len(tree) >> 1
    while bit > 0:
        side = 1 if leaf & bit else 0
        share = left_share(tree, node)
        asked *= 1.0 - share if side else share
        node = 2 * node + side
        bit = bit >> 1
    return asked


@bare_kernel
def ask(tree: Floats, leaf: int, more: float) -> None:
    """Let a page ask for so much more: shares above it move such that all others ask for what they
    did.
    """
    settle_path(tree, leaf)
    total = float(tree[0, SHARE])
    node = 1
    bit = len(tree) >> 1
    tree[0, SHARE] += more
    while bit > 0:
        side = 1 if leaf & bit else 0
        left = left_share(tree, node) * total
        tree[node, SHARE] = (left if side else left + more) / (total + more)
        total = total - left if side else left
        node = 2 * node + side
        bit = bit >> 1
    refresh_path(tree, leaf)
