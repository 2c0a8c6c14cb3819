"""Fluid earliest deadline first, exact in O(log n) a turn while shares move (paper `htraa`, section
3: EDF scheduler).

Leaf i is owed x_i polls a turn: at each turn c_i grows by x_i, the leaf with the least (1 −
c_i)/x_i is polled, and its c_i falls by 1. A balanced binary tree finds it: every inner node gives
a share of the service that it gets to its left side and the rest to its right one, so x_i is a
product of shares. The *slack* of a side is the service that the side itself still gets before its
next poll is due: 1 − c_i for a leaf, and min(left/share, right/(1 − share)) for a node. It shrinks
by what the side is given, whatever happens below; so service is noted as *owed* to the side and
handed down only when a turn passes that way. Nothing is a time since the beginning: no number grows
with the turns.

A side without pages has slack ∞: it is never due, gets nothing, and the other side gets all.

Leaves start with a slack drawn between 0 and 1. Were it 1 for all, pages of like shares would stay
in step for ever and come due together; while such a crowd is polled the quick pages wait, which
costs 1–3 % of all detections.

Row v of `tree` is the inner node v (root 1, children 2v and 2v+1; row 0 is free for other use);
leaf i stands where node i + leaves would. `leaves` is a power of two, the number of rows.

>>> from collections import namedtuple
>>> mind = namedtuple("Mind", "tree")(plant_tree(np.array([0.5, 0.25, 0.25])))
>>> [next_turn(mind) for _ in range(8)]
[0, 2, 1, 0, 0, 2, 1, 0]
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

SHARE: Final = 0  # of a node's service that goes to its left side
SLACK: Final = 1  # of its left side; that of its right one comes next
OWED: Final = 3  # to its left side; to its right one comes next
COLUMNS: Final = 5


@bare_kernel
def soonest(tree: Floats, node: int) -> float:
    """The slack of a node: the service that it gets before the next poll below it is due."""
    left = float(tree[node, SLACK])
    right = float(tree[node, SLACK + 1])
    if math.isinf(left):
        return right
    if math.isinf(right):
        return left
    share = float(tree[node, SHARE])
    return min(left / share, right / (1.0 - share))


@bare_kernel
def left_share(tree: Floats, node: int) -> float:
    """What its left side gets, with regard to sides that are empty."""
    if math.isinf(tree[node, SLACK]):
        return 0.0
    return 1.0 if math.isinf(tree[node, SLACK + 1]) else float(tree[node, SHARE])


@bare_kernel
def serve(tree: Floats, node: int, service: float) -> None:
    """Divide the service that a node gets between its sides."""
    given = left_share(tree, node) * service
    tree[node, SLACK] -= given
    tree[node, OWED] += given
    tree[node, SLACK + 1] -= service - given
    tree[node, OWED + 1] += service - given


@bare_kernel
def hand_down(tree: Floats, node: int, side: int) -> float:
    """What the node owes to a side, now paid."""
    owed = float(tree[node, OWED + side])
    tree[node, OWED + side] = 0.0
    return owed


@bare_kernel
def _next_side(tree: Floats, node: int) -> int:
    left = tree[node, SLACK]
    right = tree[node, SLACK + 1]
    if math.isinf(left) or math.isinf(right):
        return 1 if math.isinf(left) else 0
    share = tree[node, SHARE]
    return 1 if right * share < left * (1.0 - share) else 0


@bare_kernel
def settle_path(tree: Floats, leaf: int) -> None:
    """Hand down all that is owed on the way to a leaf, so that shares on it may be changed."""
    node = 1
    bit = len(tree) >> 1
    service = 0.0
    while bit > 0:
        side = 1 if leaf & bit else 0
        serve(tree, node, service)
        service = hand_down(tree, node, side)
        node = 2 * node + side
        bit = bit >> 1


@bare_kernel
def refresh_path(tree: Floats, leaf: int) -> None:
    """Bring the slacks above a leaf in line with what was changed there."""
    node = (leaf + len(tree)) >> 1
    while node > 1:
        tree[node >> 1, SLACK + (node & 1)] = soonest(tree, node)
        node >>= 1


@bare_kernel
def set_slack(tree: Floats, leaf: int, slack: float) -> None:
    tree[(leaf + len(tree)) >> 1, SLACK + (leaf & 1)] = slack


@bare_kernel
def next_turn(mind: Any) -> int:
    """The leaf that is due first, polled: one turn's service is given out; −1 = no page.

    `mind` is an automaton's (automaton.py); all that counts here is its tree.
    """
    tree = mind.tree
    node = 1
    leaves = len(tree)
    service = 1.0
    side = 0
    if math.isinf(tree[1, SLACK]) and math.isinf(tree[1, SLACK + 1]):
        return -1
    while node < leaves:
        serve(tree, node, service)
        side = _next_side(tree, node)
        service = hand_down(tree, node, side)
        node = 2 * node + side
    tree[node >> 1, SLACK + side] += 1.0
    refresh_path(tree, node - leaves)
    return node - leaves


@bare_kernel
def weigh(tree: Floats) -> None:
    """Shares in proportion to the leaves' weights, which lie where the lowest nodes note what they
    owe.
    """
    for node in range(len(tree) - 1, 0, -1):
        left = tree[node, OWED]
        right = tree[node, OWED + 1]
        tree[node, SHARE] = left / (left + right) if left + right > 0.0 else 0.5
        if node > 1:
            tree[node >> 1, OWED + (node & 1)] = left + right


@bare_kernel
def wind(tree: Floats, seed: int) -> None:
    """Start the scheduler: nothing is owed, each leaf is due at a time of its own; one without
    weight is empty.
    """
    leaves = len(tree)
    for node in range(leaves - 1, 0, -1):
        for side in range(2):
            if 2 * node >= leaves:
                drawn = mix_hash(seed, 2 * node + side, 0)
                tree[node, SLACK + side] = (
                    drawn if tree[node, OWED + side] > 0.0 else math.inf
                )
            tree[node, OWED + side] = 0.0
        if node > 1:
            tree[node >> 1, SLACK + (node & 1)] = soonest(tree, node)


def room_for(pages: int) -> int:
    """Leaves of the tree: the least power of two that seats them, at least 2.

    >>> [room_for(pages) for pages in (0, 2, 3, 512, 513)]
    [2, 2, 4, 512, 1024]
    """
    return 1 << max(1, (pages - 1).bit_length())


def empty_tree(leaves: int) -> Floats:
    tree = np.zeros((leaves, COLUMNS))
    tree[:, SHARE] = 0.5
    tree[:, SLACK : SLACK + 2] = math.inf
    return tree


def weighted_tree(weights: Floats) -> Floats:
    """A tree whose shares stand in proportion to the leaves' weights, not wound yet."""
    tree = empty_tree(room_for(len(weights)))
    padded = np.zeros(len(tree))
    padded[: len(weights)] = weights
    tree[len(tree) // 2 :, OWED : OWED + 2] = padded.reshape(-1, 2)
    weigh(tree)
    return tree


def plant_tree(weights: Floats, seed: int = 0) -> Floats:
    """A tree that polls its leaves in proportion to their weights; a weight of 0 means never."""
    tree = weighted_tree(weights)
    wind(tree, seed)
    return tree


def double_row(leaves: int) -> NDArray[np.int64]:
    """Where the nodes 1, 2, … of a tree stand when it has become the left side of a new root.

    >>> double_row(8).tolist()
    [2, 4, 5, 8, 9, 10, 11]
    """
    nodes = np.arange(1, leaves)
    return nodes + (1 << np.log2(nodes).astype(np.int64))


def double_tree(tree: Floats) -> Floats:
    """Twice the leaves: the tree as it is becomes the left side of a new root, whose right side is
    empty.
    """
    grown = empty_tree(2 * len(tree))
    grown[double_row(len(tree))] = tree[1:]
    grown[0] = tree[0]
    grown[1, SLACK] = soonest(tree, 1)
    return grown


def leaf_shares(tree: Floats) -> Floats:
    """The share of all polls that each leaf is to get, 0 for an empty one.

    >>> leaf_shares(plant_tree(np.array([0.5, 0.3, 0.2]))).round(3).tolist()
    [0.5, 0.3, 0.2, 0.0]
    """
    left = np.isinf(tree[:, SLACK])
    right = np.isinf(tree[:, SLACK + 1])
    share = np.where(
        right, np.where(left, 0.0, 1.0), np.where(left, 0.0, tree[:, SHARE])
    )
    rest = np.where(right, 0.0, 1.0 - share)
    found = np.ones(1)
    first = 1
    while first < len(tree):
        rows = slice(first, 2 * first)
        found = np.column_stack((found * share[rows], found * rest[rows])).ravel()
        first *= 2
    return found
