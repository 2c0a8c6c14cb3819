"""Entries of many tables put in one order, by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from trapline.oasis.terms import Keys


def turn_round(
    keys: Sequence[Keys],
) -> tuple[Keys, NDArray[np.int64], NDArray[np.intp]]:
    """Keys of many tables as one: each once, where its entries start, and the order of entries.

    >>> found = turn_round([np.array([4, 6], np.uint64), np.array([4], np.uint64)])
    >>> [part.tolist() for part in found]
    [[4, 6], [0, 2, 3], [0, 2, 1]]
    """
    together = join_arrays(keys, np.uint64)
    # stable, and quick on runs that are in order
    order = np.argsort(together, kind="stable")
    together = together[order]
    firsts = np.flatnonzero(np.diff(together, prepend=~together[:1]))
    starts = np.append(firsts, len(together)).astype(np.int64)
    return together[firsts], starts, order


def join_arrays(parts: Sequence[NDArray[Any]], kind: DTypeLike) -> NDArray[Any]:
    """One after another; nothing at all is an empty array."""
    return np.concatenate(
        [np.empty(0, kind), *(part.astype(kind, copy=False) for part in parts)]
    )
