"""Which pages are wanted, day by day, and what that makes them worth to the robot."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw

from trapline.app.demand.demand_file import FILE, connect
from trapline.theory.demand import asked_for, demand_factor, fade

LATELY_D: Final = 30  # days, of which people are told


@dataclass(frozen=True, slots=True)
class Wanted:
    """How often a page was shown among results, and opened."""

    shown: int
    opened: int
    days: int = LATELY_D  # within so many

    def __str__(self) -> str:
        """
        >>> str(Wanted(shown=40, opened=3))
        'shown 40, opened 3 times in the last 30 days'
        """
        times = "time" if self.opened == 1 else "times"
        return f"shown {self.shown}, opened {self.opened} {times} in the last {self.days} days"


NOBODY: Final = Wanted(0, 0)


def wanted_lately(folder: Path, page: int, today: int) -> Wanted:
    """What was counted of one page; nothing where nothing was counted."""
    rows = _read(
        folder,
        "SELECT total(shown), total(opened) FROM wanted WHERE page = ? AND day > ?",
        (page, today - LATELY_D),
    )
    shown, opened = rows[0] if rows else (0, 0)
    return Wanted(shown, opened)


def factors_wanted(
    folder: Path, today: int, held: int, gain: float
) -> dict[int, float]:
    """By page, what its worth is multiplied with, among so many that are held.

    Pages that nobody wants are left out.
    """
    asked: dict[int, float] = defaultdict(float)
    for day, page, shown, opened in _read(
        folder, "SELECT day, page, shown, opened FROM wanted", ()
    ):
        asked[page] += fade(today - day) * asked_for(shown, opened)
    usual = math.fsum(asked.values()) / max(1, held)
    factors = {page: demand_factor(much, usual, gain) for page, much in asked.items()}
    return {page: factor for page, factor in factors.items() if factor > 1.0}


def _read(folder: Path, query: str, values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The rows; none where nothing was counted, or the file is damaged or of an older version."""
    if not (folder / FILE).exists():
        return []
    try:
        with connect(folder, apsw.SQLITE_OPEN_READONLY) as connection:
            return [tuple(map(int, row)) for row in connection.execute(query, values)]
    except apsw.Error:
        return []
