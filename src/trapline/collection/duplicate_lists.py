"""Kernels over the lists of first pages and of groups (see duplicates.py)."""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import kernel

# bits: on documentation of 53 sites no pair nearer than that shared less than 3/4 of its shingles
WITHIN: Final = 3
BANDS: Final = 4
WIDTH: Final = 16  # bits of a band
BEHIND: Final = -2  # behind[page] = BEHIND − first: not a first page itself

Numbers = NDArray[np.int32]
Hashes = NDArray[np.int64]
Number = TypeVar("Number", np.int32, np.int64)


@kernel
def bits_apart(one: int, other: int) -> int:
    """How many bits differ: in pairs, fours and bytes at a time."""
    x = one ^ other
    x -= (x >> 1) & 0x5555555555555555
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0x7F


@kernel
def nearest(
    heads: Numbers, nexts: Numbers, hashes: Hashes, wanted: int, but: int
) -> int:
    """The first page (not `but`) that differs least, the lowest of several; −1 = none
    within reach.
    """
    best = -1
    least = WITHIN + 1
    for band in range(BANDS):
        page = heads[band, (wanted >> (band * WIDTH)) & 0xFFFF]
        while page >= 0:
            apart = bits_apart(hashes[page], wanted)
            if page != but and (apart < least or (apart == least and page < best)):
                best = page
                least = apart
            page = nexts[page, band]
    return best


@kernel
def file_first(heads: Numbers, nexts: Numbers, page: int, simhash: int) -> None:
    for band in range(BANDS):
        key = (simhash >> (band * WIDTH)) & 0xFFFF
        nexts[page, band] = heads[band, key]
        heads[band, key] = page


@kernel
def unfile_first(heads: Numbers, nexts: Numbers, page: int, simhash: int) -> None:
    for band in range(BANDS):
        key = (simhash >> (band * WIDTH)) & 0xFFFF
        one = heads[band, key]
        if one == page:
            heads[band, key] = nexts[page, band]
            continue
        while nexts[one, band] != page:
            one = nexts[one, band]
        nexts[one, band] = nexts[page, band]


@kernel
def join_group(nexts: Numbers, behind: Numbers, page: int, first: int) -> None:
    """Put a page into the list of its first one; both ways, so that it can leave a large group
    quickly.
    """
    follower = behind[first]
    nexts[page, 0] = follower
    nexts[page, 1] = first
    if follower >= 0:
        nexts[follower, 1] = page
    behind[first] = page
    behind[page] = BEHIND - first


@kernel
def leave_group(nexts: Numbers, behind: Numbers, page: int, first: int) -> None:
    follower = nexts[page, 0]
    leader = nexts[page, 1]
    if leader == first:
        behind[first] = follower
    else:
        nexts[leader, 0] = follower
    if follower >= 0:
        nexts[follower, 1] = leader


def grow(array: NDArray[Number], room: int) -> NDArray[Number]:
    """The same rows, with room for more."""
    larger = np.zeros((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
