"""How many fetchers to each area, once and for all: what `talim` leaves open in its section 6 ("one
may wish to determine the optimal number of robots to be allocated to a given area").

The costs of areas add up, and that of each is convex in its number of fetchers. For C = (γ+μ)·
P(empty) + λN − μ, and P(empty) = 1/S, S = Σρ^i, is convex: 2S'² − S·S'' has at ρ^(m−2) the
coefficient Σ_{i+j=m} [3ij − m(m−1)/2], which is 0 for m ≤ K; for larger m only the least of these
terms, those with i or j above K, are left out, so that it is positive. So whoever gives each
fetcher to the area where it lowers the cost most, as long as it lowers any, ends at the best
numbers (Fox 1966).

>>> quick = FetcherQueue(fetch_rate=0.1, process_rate=1.0, capacity=5, starvation_weight=1.4)
>>> slow = FetcherQueue(fetch_rate=0.1, process_rate=0.5, capacity=5, starvation_weight=0.7)
>>> best_shares([quick, slow], fetchers=12)
[8, 4]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trapline.core.errors import BadNumber, check_count
from trapline.theory.queueing.control import Floats
from trapline.theory.queueing.fetcher_queue import FetcherQueue


def check_areas(
    areas: Sequence[FetcherQueue],
    fetchers: int,
) -> None:
    if not areas:
        raise BadNumber("the number of areas", 0, "at least 1")
    check_count("the number of fetchers N", fetchers, "nobody else brings pages")


def static_cost(
    area: FetcherQueue,
    fetchers: int,
) -> float:
    """Of any fixed number; nobody leaves the processor without a page for ever."""
    return area.static_cost(fetchers) if fetchers else area.starvation_weight


def best_shares(
    areas: Sequence[FetcherQueue],
    fetchers: int,
) -> list[int]:
    """Fetchers by area, at most so many in all."""
    check_areas(areas, fetchers)
    shares = [0] * len(areas)
    gains = [_gain(area, 0) for area in areas]
    for _ in range(fetchers):
        place = max(range(len(areas)), key=gains.__getitem__)
        if gains[place] <= 0.0:
            break
        shares[place] += 1
        gains[place] = _gain(areas[place], shares[place])
    return shares


def _gain(
    area: FetcherQueue,
    fetchers: int,
) -> float:
    """What one more lowers the cost."""
    return static_cost(area, fetchers) - static_cost(area, fetchers + 1)


def level_worths(
    areas: Sequence[FetcherQueue],
    shares: Sequence[int],
    fetchers: int,
) -> list[Floats]:
    """Fixed numbers as tables of what one more is worth: what an area still lacks."""
    active = np.arange(fetchers + 1)
    return [
        np.tile(share - active + 0.0, (area.capacity + 1, 1))
        for area, share in zip(areas, shares, strict=True)
    ]
