"""Seats: which page sits on which leaf of an automaton's tree.

A newcomer takes the first free leaf.

`below` counts the pages under every inner node (numbered as in fluid_edf.py), so that the
first free leaf is found on one way down the tree.

>>> seats = Seats(2)
>>> [seats.take(page) for page in (70, 30)], seats.full
([0, 1], True)
>>> seats.double()
>>> seats.take(50), seats.leave(70), seats.take(60), seats.leaf_of(50), seats.page_at(1)
(2, 0, 0, 2, 30)
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.ports import Arrays
from trapline.policies.refresh.automata.fluid_edf import double_row

Below = NDArray[np.int32]

NOBODY: Final = -1


class Seats:
    def __init__(self, leaves: int) -> None:
        self.below: Below = np.zeros(leaves, np.int32)
        self._pages = np.full(leaves, NOBODY, np.int32)  # by leaf
        self._leaves = np.zeros(0, np.int32)  # by page

    @property
    def full(self) -> bool:
        return int(self.below[1]) == len(self._pages)

    @property
    def taken(self) -> int:
        return int(self.below[1])

    def leaf_of(self, page: int) -> int:
        return int(self._leaves[page]) if page < len(self._leaves) else NOBODY

    def page_at(self, leaf: int) -> int:
        return int(self._pages[leaf])

    def pages_seated(self, most: int) -> NDArray[np.int64]:
        """The pages that sit anywhere, among the first `most`, in order."""
        return np.flatnonzero(self._leaves[:most] != NOBODY)

    def take_all(self, pages: int) -> None:
        """Page i on leaf i."""
        self._pages[:pages] = self._leaves = np.arange(pages, dtype=np.int32)
        counts = (self._pages >= 0).reshape(-1, 2).sum(axis=1)
        while len(counts):
            self.below[len(counts) : 2 * len(counts)] = counts
            counts = (
                counts.reshape(-1, 2).sum(axis=1) if len(counts) > 1 else counts[:0]
            )

    def first_free(self) -> int:
        node = 1
        leaves = len(self._pages)
        room = leaves // 2  # on each side
        while 2 * node < leaves:
            node = 2 * node + int(self.below[2 * node] == room)
            room //= 2
        leaf = 2 * node - leaves
        return leaf if self._pages[leaf] == NOBODY else leaf + 1

    def take(self, page: int) -> int:
        leaf = self.first_free()
        if page >= len(self._leaves):
            grown = np.full(max(page + 1, 2 * len(self._leaves)), NOBODY, np.int32)
            grown[: len(self._leaves)] = self._leaves
            self._leaves = grown
        self._leaves[page] = leaf
        self._pages[leaf] = page
        self._count(leaf, 1)
        return leaf

    def leave(self, page: int) -> int:
        leaf = self.leaf_of(page)
        self._leaves[page] = self._pages[leaf] = NOBODY
        self._count(leaf, -1)
        return leaf

    def double(self) -> None:
        """Twice the leaves; the old ones keep their numbers."""
        leaves = len(self._pages)
        below = np.zeros(2 * leaves, np.int32)
        below[double_row(leaves)] = self.below[1:]
        below[1] = self.below[1]
        self.below = below
        self._pages = np.append(self._pages, np.full(leaves, NOBODY, np.int32))

    def _count(self, leaf: int, by: int) -> None:
        node = (leaf + len(self._pages)) // 2
        while node > 0:
            self.below[node] += by
            node //= 2

    def state(self) -> Arrays:
        return {
            "below": self.below.copy(),
            "pages": self._pages.copy(),
            "leaves": self._leaves.copy(),
        }

    def restore(self, state: Arrays) -> None:
        self.below = np.array(state["below"], np.int32)
        self._pages = np.array(state["pages"], np.int32)
        self._leaves = np.array(state["leaves"], np.int32)
