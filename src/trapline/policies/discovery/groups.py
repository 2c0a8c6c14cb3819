"""Means by group: what pages fetched so far were worth, by anything that they have in common.

A group is known by a hash of its name (its host, directory, tag path, a word of its links …). Open addressing in three
arrays, doubled when they are half full. A mean is shrunk towards what is expected of the group before anything is seen
of it: (sum + k·expected)/(count + k).

>>> groups = Groups()
>>> add(groups.keys, groups.sums, groups.counts, hashed(1, 7), 0.5)
1
>>> round(mean(groups.keys, groups.sums, groups.counts, hashed(1, 7), expected=0.2, k=2.0), 2)
0.3
>>> mean(groups.keys, groups.sums, groups.counts, hashed(1, 8), expected=0.2, k=2.0)
0.2
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trapline.core.ports import Arrays
from trapline.theory.kernel import bare_kernel

Keys = NDArray[np.int32]
Values = NDArray[np.float32]

_MASK = 0x7FFFFFFF


@bare_kernel
def hashed(kind: int, name: int) -> int:
    """The key of a group of a kind; never 0."""
    mix = (name ^ (kind * 0x5BD1E995)) & 0xFFFFFFFF
    mix = ((mix ^ (mix >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    mix = ((mix ^ (mix >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    mix = (mix ^ (mix >> 16)) & _MASK
    return mix if mix != 0 else 1


@bare_kernel
def _place(keys: Keys, key: int) -> int:
    """Where the key is, or would be."""
    last = len(keys) - 1
    place = key & last
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & last
    return place


@bare_kernel
def mean(keys: Keys, sums: Values, counts: Values, key: int, expected: float, k: float) -> float:
    place = _place(keys, key)
    if keys[place] == 0:
        return expected
    return float((sums[place] + k * expected) / (counts[place] + k))


@bare_kernel
def add(keys: Keys, sums: Values, counts: Values, key: int, value: float) -> int:
    """Returns how many groups are new by it: 0 or 1."""
    place = _place(keys, key)
    new = keys[place] == 0
    keys[place] = key
    sums[place] += value
    counts[place] += 1.0
    return int(new)


@bare_kernel
def _move(keys: Keys, sums: Values, counts: Values, keys2: Keys, sums2: Values, counts2: Values) -> None:
    for i in range(len(keys)):
        if keys[i] != 0:
            place = _place(keys2, keys[i])
            keys2[place], sums2[place], counts2[place] = keys[i], sums[i], counts[i]


class Groups:
    def __init__(self, room: int = 1024) -> None:
        self.size = 0
        self._lay_out(room)

    def fit(self, more: int) -> None:
        """Have room for so many new groups."""
        room = len(self.keys)
        if 2 * (self.size + more) <= room:
            return
        while 2 * (self.size + more) > room:
            room *= 2
        old = self.keys, self.sums, self.counts
        self._lay_out(room)
        _move(*old, self.keys, self.sums, self.counts)

    def state(self) -> Arrays:
        """Groups in use only, in an order of their own."""
        used = self.keys != 0
        return {"groups": self.keys[used], "sums": self.sums[used], "counts": self.counts[used]}

    def restore(self, state: Arrays) -> None:
        keys = np.array(state["groups"], np.int32)
        self.size = 0
        self._lay_out(1024)
        self.fit(len(keys))
        self.size = len(keys)
        sums, counts = np.array(state["sums"], np.float32), np.array(state["counts"], np.float32)
        _move(keys, sums, counts, self.keys, self.sums, self.counts)

    def _lay_out(self, room: int) -> None:
        self.keys = np.zeros(room, np.int32)
        self.sums, self.counts = np.zeros(room, np.float32), np.zeros(room, np.float32)
