"""The rankings of all parts as one: by score, and of those that say the same one is shown.

>>> moon = RankedRow(4, 9.0, 4, title=1, simhash=0b1111)
>>> mirror = RankedRow(7, 8.0, 7, title=1, simhash=0b1011)
>>> mars = RankedRow(8, 8.5, 8, title=2, simhash=-1 % 2**64)
>>> parts = {1: RankedRows(1, [moon]), 2: RankedRows(2, [mars, mirror])}
>>> merged = merge_rankings(parts, by_date=False)
>>> merged.ranking.total, merged.ranking.pages, merged.part_of[8], merged.ranking.alike
(3, [Ranked(page=4, score=9.0), Ranked(page=8, score=8.5)], 2, {4: 1})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trapline.search.query_processor import go_on
from trapline.search.ranking.two_looks import RankedRow, RankedRows, Ranking
from trapline.search.ranking.united_copies import fold_united


@dataclass(frozen=True, slots=True)
class MergedRanking:
    ranking: Ranking
    part_of: dict[int, int]  # page → number of the part that holds it

    def after(self, before: MergedRanking) -> MergedRanking:
        """What was shown stays where it was; what is new comes after it."""
        ranking = go_on(before.ranking, self.ranking)
        return MergedRanking(ranking, before.part_of | self.part_of)


def merge_rankings(parts: Mapping[int, RankedRows], *, by_date: bool) -> MergedRanking:
    """By number of the part."""
    part_of = {row.page: part for part, found in parts.items() for row in found.rows}
    rows = sorted(
        (row for found in parts.values() for row in found.rows),
        key=_by_date if by_date else _by_score,
    )
    total = sum(found.total for found in parts.values())
    return MergedRanking(fold_united(RankedRows(total, rows), by_date=by_date), part_of)


def _by_score(row: RankedRow) -> tuple[bool, float, int]:
    return not row.is_twice, -row.score, row.page


def _by_date(row: RankedRow) -> tuple[float, int]:
    return -row.changed_s, row.page
