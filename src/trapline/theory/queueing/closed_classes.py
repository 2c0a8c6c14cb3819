"""Where a process that moves at random ends up: the sets of states that it never leaves.

>>> rows, columns = np.array([0, 0, 1, 2]), np.array([1, 2, 1, 2])
>>> [one.tolist() for one in closed_sets(rows, columns, states=3)]
[[1], [2]]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Moves:
    """From each state those that follow it, as slices of one array."""

    start: Ints  # [state + 1]
    to: Ints

    @classmethod
    def of(cls, rows: Ints, columns: Ints, states: int) -> Moves:
        counts = np.bincount(rows, minlength=states)
        start = np.concatenate(([0], np.cumsum(counts)))
        return cls(start, columns[np.argsort(rows, kind="stable")])

    def reach(self, seeds: Ints) -> tuple[Bools, int]:
        """The states that are reached from some, these among them; and one of the farthest."""
        inside = np.zeros(len(self.start) - 1, dtype=bool)
        inside[seeds] = True
        new = seeds
        last = new
        while len(new):
            last = new
            found = self._following(new)
            new = np.unique(found[~inside[found]])
            inside[new] = True
        return inside, int(last[0])

    def _following(self, states: Ints) -> Ints:
        first = self.start[states]
        counts = self.start[states + 1] - first
        ends = np.cumsum(counts)
        within = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        found: Ints = self.to[np.repeat(first, counts) + within]
        return found


def closed_sets(rows: Ints, columns: Ints, states: int) -> list[Ints]:
    """In the order of their first states."""
    forward = Moves.of(rows, columns, states)
    backward = Moves.of(columns, rows, states)
    led = np.zeros(states, dtype=bool)  # to one of the sets that were found
    found = []
    while not led.all():
        members = _closed_from(int(np.argmin(led)), forward, backward)
        found.append(members)
        led |= backward.reach(members)[0]
    return sorted(found, key=lambda members: int(members[0]))


def _closed_from(state: int, forward: Moves, backward: Moves) -> Ints:
    """One that is reached from a state."""
    while True:
        reached, farthest = forward.reach(np.array([state]))
        returning, _ = backward.reach(np.array([state]))
        lost = reached & ~returning
        if not lost.any():
            return np.flatnonzero(reached)
        state = farthest if lost[farthest] else int(np.argmax(lost))
