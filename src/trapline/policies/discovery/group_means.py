"""Means by group: what pages fetched so far were worth, by anything that they have in common.

A group is known by a hash of its name (its host, directory, tag path, a word of its links …). A
mean is shrunk towards what is expected of the group before anything is seen of it: (sum +
k·expected)/(count + k).

>>> groups = new_groups()
>>> add(groups, hash_group(1, 7), 0.5)
>>> round(mean(groups, hash_group(1, 7), expected=0.2, k=2.0), 2)
0.3
>>> mean(groups, hash_group(1, 8), expected=0.2, k=2.0)
0.2
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.ports import Arrays
from trapline.theory.kernel import bare_kernel

_MASK = 0x7FFFFFFF


@bare_kernel
def hash_group(kind: int, name: int) -> int:
    """The key of a group of a kind; never 0."""
    mix = (name ^ (kind * 0x5BD1E995)) & 0xFFFFFFFF
    mix = ((mix ^ (mix >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    mix = ((mix ^ (mix >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    mix = (mix ^ (mix >> 16)) & _MASK
    return mix if mix != 0 else 1


class Groups(NamedTuple):
    """Open addressing; a key of 0 is a free place."""

    keys: NDArray[np.int32]
    sums: NDArray[np.float32]
    counts: NDArray[np.float32]
    size: NDArray[np.int64]  # one number: places in use


def new_groups(room: int = 1024) -> Groups:
    return Groups(
        np.zeros(room, np.int32),
        np.zeros(room, np.float32),
        np.zeros(room, np.float32),
        np.zeros(1, np.int64),
    )


def roomy(groups: Groups, more: int) -> Groups:
    """These groups, with room for so many new ones."""
    room = len(groups.keys)
    wanted = 2 * (int(groups.size[0]) + more)
    if wanted <= room:
        return groups
    larger = new_groups(1 << (wanted - 1).bit_length())
    _move(groups, larger)
    return larger


def saved_groups(groups: Groups) -> Arrays:
    """Groups in use only."""
    used = groups.keys != 0
    return {
        "groups": groups.keys[used],
        "sums": groups.sums[used],
        "counts": groups.counts[used],
    }


def restored_groups(state: Arrays) -> Groups:
    keys = np.array(state["groups"], np.int32)
    sums = np.array(state["sums"], np.float32)
    counts = np.array(state["counts"], np.float32)
    groups = roomy(new_groups(), len(keys))
    _move(Groups(keys, sums, counts, np.array([len(keys)])), groups)
    return groups


@bare_kernel
def _place(keys: NDArray[np.int32], key: int) -> int:
    """Where the key is, or would be."""
    last = len(keys) - 1
    place = key & last
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & last
    return place


@bare_kernel
def mean(groups: Groups, key: int, expected: float, k: float) -> float:
    place = _place(groups.keys, key)
    if groups.keys[place] == 0:
        return expected
    return float((groups.sums[place] + k * expected) / (groups.counts[place] + k))


@bare_kernel
def add(groups: Groups, key: int, value: float) -> None:
    """There must be room."""
    place = _place(groups.keys, key)
    if groups.keys[place] == 0:
        groups.keys[place] = key
        groups.size[0] += 1
    groups.sums[place] += value
    groups.counts[place] += 1.0


@bare_kernel
def _move(groups: Groups, larger: Groups) -> None:
    for i in range(len(groups.keys)):
        if groups.keys[i] != 0:
            place = _place(larger.keys, groups.keys[i])
            larger.keys[place] = groups.keys[i]
            larger.sums[place] = groups.sums[i]
            larger.counts[place] = groups.counts[i]
    larger.size[0] = groups.size[0]
