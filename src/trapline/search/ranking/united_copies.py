"""Rankings in which copies do not know of each other: those of several shards.

Copies have one original in the store of their shard. Those of other shards are known by their
texts: simhashes that differ in at most 3 of 64 bits say the same.

>>> moon = RankedRow(4, 9.0, 4, title=1, simhash=0b1111)
>>> mirror = RankedRow(7, 8.0, 7, title=1, simhash=0b1011)
>>> mars = RankedRow(8, 8.5, 8, title=2, simhash=-1 % 2**64)
>>> ranking = fold_united(RankedRows(3, [moon, mars, mirror]), by_date=False)
>>> ranking.total, ranking.pages, ranking.alike
(3, [Ranked(page=4, score=9.0), Ranked(page=8, score=8.5)], {4: 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from trapline.collection.duplicate_lists import BANDS, WIDTH, WITHIN
from trapline.search.ranking.two_looks import (
    RankedRow,
    RankedRows,
    Ranking,
    fold_rows,
)

_DRAWER: Final = (1 << WIDTH) - 1


def fold_united(found: RankedRows, *, by_date: bool) -> Ranking:
    """Copies folded, those of other shards, too; the rows are in order."""
    united = unite_copies(found.rows)
    ranking = fold_rows(RankedRows(found.total, united), by_date=by_date)
    return replace(ranking, alike=_count_alike(found.rows, united, ranking))


def unite_copies(rows: Sequence[RankedRow]) -> list[RankedRow]:
    """The same rows; what says the same as an earlier one has its original."""
    drawers: dict[int, list[RankedRow]] = {}
    united = []
    for row, is_alone in zip(rows, _lie_alone(rows), strict=True):
        same = None
        if not is_alone:
            places = _places(row.simhash)
            same = _find_near(row.simhash, places, drawers)
            for place in places if same is None else ():
                drawers.setdefault(place, []).append(row)
        united.append(row if same is None else row._replace(original=same.original))
    return united


def _lie_alone(rows: Sequence[RankedRow]) -> list[bool]:
    """Whether nothing else lies in any of a row's drawers: so it is with most."""
    simhashes = np.array([row.simhash for row in rows], np.uint64)
    shared = np.zeros(len(rows), np.bool_)
    for band in range(BANDS):
        drawers = simhashes >> np.uint64(band * WIDTH) & np.uint64(_DRAWER)
        _, places, counts = np.unique(drawers, return_inverse=True, return_counts=True)
        shared |= counts[places] > 1
    alone: list[bool] = (~shared | (simhashes == 0)).tolist()
    return alone


def _find_near(
    simhash: int, places: list[int], drawers: dict[int, list[RankedRow]]
) -> RankedRow | None:
    for place in places:
        for one in drawers.get(place, ()):
            if (one.simhash ^ simhash).bit_count() <= WITHIN:
                return one
    return None


def _places(simhash: int) -> list[int]:
    """The drawers it lies in: two that are near share one at least."""
    return [
        band << WIDTH | (simhash >> (band * WIDTH) & _DRAWER) for band in range(BANDS)
    ]


def _count_alike(
    rows: list[RankedRow], united: list[RankedRow], ranking: Ranking
) -> dict[int, int]:
    """For pages that are shown: how many others say the same in other shards.

    Those of its own shard are counted by its store.
    """
    if united == rows:
        return {}
    own = {row.page: row.original for row in rows}
    groups: dict[int, Counter[int]] = {}
    for row in united:
        groups.setdefault(row.original, Counter())[own[row.page]] += 1
    group_of = {row.page: groups[row.original] for row in united}
    return {
        page: count
        for page, _ in ranking.pages
        if (count := group_of[page].total() - group_of[page][own[page]])
    }
