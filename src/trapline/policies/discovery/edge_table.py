"""Edges: a table with a row of numbers for each link under which a page was first found.

Kernels look rows up.

A map of open addresses over dense rows: rows stay where they are when the map grows, so a page may
keep the number of its row. Whoever calls a kernel sees to it first that there is room (`roomy`).

>>> edges = roomy(new_edges(), 3)
>>> row_of(edges, -1, 7), row_of(edges, 7, 9), row_of(edges, -1, 7)
(0, 1, 0)
>>> edges.values[1].tolist()
[0.0, 0.0, 0.0]
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ROWS: Final = 0  # of the counts: rows in use,
STEPS: Final = 1  # visits so far,
DRAWN: Final = 2  # numbers drawn by chance
_LEAST: Final = 16
_COUNTS: Final = 3
_NUMBERS: Final = 3  # in a row


class Edges(NamedTuple):
    slots: Integers  # a power of two of them, at most half taken: row + 1, or 0 = free
    keys: Integers  # of each row: parent and page
    values: Floats  # of each row: three numbers
    counts: Integers


def new_edges() -> Edges:
    return Edges(
        np.zeros(2 * _LEAST, np.int64),
        np.zeros(_LEAST, np.int64),
        np.zeros((_LEAST, _NUMBERS)),
        np.zeros(_COUNTS, np.int64),
    )


def roomy(edges: Edges, more: int) -> Edges:
    """The same table, with room for so many further rows."""
    rows = int(edges.counts[ROWS])
    room = len(edges.keys)
    if rows + more <= room:
        return edges
    while room < rows + more:
        room *= 2
    return _laid_out(edges.keys[:rows], edges.values[:rows], edges.counts, room)


def _laid_out(keys: Integers, values: Floats, counts: Integers, room: int) -> Edges:
    rows = len(keys)
    grown = Edges(
        np.zeros(2 * room, np.int64),
        np.zeros(room, np.int64),
        np.zeros((room, _NUMBERS)),
        counts,
    )
    grown.keys[:rows] = keys
    grown.values[:rows] = values
    _fill(grown, rows)
    return grown


def edges_state(edges: Edges) -> dict[str, NDArray[np.generic]]:
    """What must be kept of a table: the map is made anew from it."""
    rows = int(edges.counts[ROWS])
    return {
        "keys": edges.keys[:rows].copy(),
        "values": edges.values[:rows].copy(),
        "counts": edges.counts.copy(),
    }


def edges_from(
    keys: NDArray[np.generic], values: NDArray[np.generic], counts: NDArray[np.generic]
) -> Edges:
    room = _LEAST
    while room < len(keys):
        room *= 2
    return _laid_out(
        np.array(keys, np.int64),
        np.array(values, np.float64),
        np.array(counts, np.int64).reshape(_COUNTS),
        room,
    )


@bare_kernel
def _slot(slots: Integers, keys: Integers, key: int) -> int:
    """Where a key is, or would be put."""
    mask = len(slots) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed ^ (mixed >> np.uint64(32))) & mask
    while slots[slot] > 0 and keys[slots[slot] - 1] != key:
        slot = (slot + 1) & mask
    return int(slot)


@bare_kernel
def _fill(edges: Edges, rows: int) -> None:
    for row in range(rows):
        edges.slots[_slot(edges.slots, edges.keys, edges.keys[row])] = row + 1


@bare_kernel
def row_of(edges: Edges, parent: int, page: int) -> int:
    """The row of a link; a new one of zeros if it was never seen.

    A parent of −1 is nobody: the page is a seed.
    """
    key = ((parent + 1) << 32) | page
    slot = _slot(edges.slots, edges.keys, key)
    if edges.slots[slot] == 0:
        row = edges.counts[ROWS]
        edges.keys[row] = key
        edges.counts[ROWS] = row + 1
        edges.slots[slot] = row + 1
    return int(edges.slots[slot] - 1)
