"""How many visits a robot makes, by those that it has noted."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Final

from trapline.core.records import Kind
from trapline.core.storage import Store

_LATELY: Final = 1000  # visits
_PAUSE_S: Final = 60.0  # and more than 100 usual gaps: the robot was not at work


def visits_a_second(store: Store) -> float:
    """To pages, lately; 0 = there are not enough to tell. What the robot slept does not count."""
    newest = store.visits(last=_LATELY)
    times = sorted(visit.ended_s for visit in newest if visit.kind is Kind.PAGE)
    return pace_of(times)


def pace_of(times_s: list[float]) -> float:
    """Events a second, pauses left out.

    >>> pace_of([0.0, 1.0, 2.0, 3.0, 90_000.0, 90_001.0]), pace_of([5.0])
    (1.0, 0.0)
    """
    gaps_s = [later - sooner for sooner, later in pairwise(times_s)]
    if not gaps_s:
        return 0.0
    longest_s = max(_PAUSE_S, 100.0 * median(gaps_s))
    work_s = [gap_s for gap_s in gaps_s if gap_s <= longest_s]
    spent_s = sum(work_s)
    return len(work_s) / spent_s if spent_s > 0.0 else 0.0
