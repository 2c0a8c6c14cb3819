"""The few of very many sources that may be chosen now: those whose price has reached a floor.

Prices only rise until a visit, so at a given floor each source has a slot at which it comes up, and
need not be looked at before. The floor lies a little below what is paid; if too few are up it is
lowered, if too many raised, and all are sorted in anew. That is seldom, so that a slot costs what
its few candidates cost. The choice is exact: whatever is not up is cheaper than anything that is.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> numbers = [(250, 1, 0.7), (250, 0.7, 0.35), (1, 0.1, 0.7)]
>>> sources = [EphemeralSource(*three) for three in numbers]
>>> due = DueSources(Sources.of(sources), last=np.zeros(3))
>>> due.up(now=2.0, floor=50.0).tolist()
[0, 1]
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.ephemeral.source import Sources

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_NEVER: Final = 2**62


class DueSources:
    """Slots are whole numbers that never fall."""

    def __init__(self, sources: Sources, last: Floats) -> None:
        self._sources = sources
        self._last = last  # the chooser's own, kept by it
        self._floor = -1.0
        # slot at which each comes up
        self._due: NDArray[np.int64] = np.zeros(0, np.int64)
        self._buckets: dict[int, list[Numbers]] = {}
        self._up: Numbers = np.zeros(0, np.int64)
        self._now = 0

    def up(self, now: float, floor: float) -> Numbers:
        """The sources whose price is at least `floor`, in order of number."""
        if floor != self._floor:
            self._sort_in(int(now), floor)
        for slot in range(self._now, int(now) + 1):
            came = self._buckets.pop(slot, [])
            if came:
                numbers = np.concatenate(came)
                self._up = np.union1d(self._up, numbers[self._due[numbers] == slot])
        self._now = int(now)
        return self._up

    def note_visit(self, numbers: Numbers) -> None:
        """They were visited in this slot; `last` says so already (of one that was not after all, it
        does not).
        """
        if self._floor < 0.0:
            return  # nothing is sorted in yet
        self._up = np.setdiff1d(self._up, numbers, assume_unique=True)
        part = self._sources.part(numbers)
        self._due[numbers] = np.maximum(
            self._slots(self._last[numbers] + part.due_age(self._floor)), self._now
        )
        for number, slot in zip(
            numbers.tolist(), self._due[numbers].tolist(), strict=True
        ):
            self._buckets.setdefault(slot, []).append(np.array([number]))

    def _sort_in(self, now: int, floor: float) -> None:
        self._floor = floor
        self._now = now
        self._due = self._slots(self._last + self._sources.due_age(floor))
        self._up = np.flatnonzero(self._due <= now)
        later = np.flatnonzero((self._due > now) & (self._due < _NEVER))
        later = later[np.argsort(self._due[later], kind="stable")]
        slots, first = np.unique(self._due[later], return_index=True)
        parts = np.split(later, first[1:])
        self._buckets = {
            slot: [part] for slot, part in zip(slots.tolist(), parts, strict=False)
        }

    @staticmethod
    def _slots(times: Floats) -> Numbers:
        return np.where(
            times < _NEVER, np.ceil(np.minimum(times, _NEVER)), _NEVER
        ).astype(np.int64)
