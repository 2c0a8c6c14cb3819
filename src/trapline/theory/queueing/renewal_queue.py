"""Arrivals of any law: the G/M/1/K queue, for a robot whose visits are paced.

A robot that makes so many visits a second, one after the other, does not bring pages as `talim` has
it, by many fetchers that do not know of each other (Poisson), but at times that hardly vary. Look
at the queue only when a page arrives. From i pages found there are min(i+1, K), of which D are done
before the next one arrives, D being the departures of a busy processor in that time. With the
shares π_i that follow, p the pace and μ the rate of the processor,

    P(full at an arrival) = π_K,    starvation = 1 − p·(1 − π_K)/μ,    cost = γ·starvation + p·π_K.

As many pages as can be processed, at exponential times (Table 1 of the paper), and at times that
never vary:

>>> queue = RenewalQueue(IndexingTimes.exponential(1.0), 1.0, capacity=5, starvation_weight=1.4)
>>> round(queue.cost(pace=1.0), 9)
0.4
>>> paced = RenewalQueue(IndexingTimes.deterministic(1.0), 1.0, capacity=5, starvation_weight=1.4)
>>> round(paced.cost(pace=1.0), 5), round(paced.best_pace(), 2)
(0.225, 1.01)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from trapline.core.errors import check_count, check_rate
from trapline.theory.queueing.control import Floats
from trapline.theory.queueing.indexing_times import IndexingTimes

_STEPS: Final = 60  # of the search; each leaves 62 % of the interval
_GOLDEN: Final = (5.0**0.5 - 1.0) / 2.0


@dataclass(frozen=True)
class RenewalQueue:
    """The queue of `FetcherQueue`, filled by one stream of pages."""

    between: IndexingTimes  # arrivals; only its shape matters
    process_rate: float  # μ
    capacity: int  # K
    starvation_weight: float  # γ

    def __post_init__(self) -> None:
        check_rate(
            "the process rate μ",
            self.process_rate,
            "pages a unit of time that are processed",
        )
        check_rate(
            "the starvation weight γ",
            self.starvation_weight,
            "without it no page at all is best",
        )
        check_count(
            "the capacity K", self.capacity, "the page being processed needs a place"
        )

    def loss(
        self,
        pace: float,
    ) -> float:
        """The share of pages that find no place, of so many a unit of time."""
        check_rate("the pace", pace, "pages a unit of time that arrive")
        done = self.process_rate / (pace * self.between.mean)
        most = self.capacity
        exactly = self.between.arrivals(done, most)
        moves = np.zeros((most + 1, most + 1))
        for found in range(most + 1):
            there = min(found + 1, most)
            moves[found, 1 : there + 1] = exactly[:there][::-1]
        return float(_stationary(moves)[-1])

    def cost(
        self,
        pace: float,
    ) -> float:
        loss = self.loss(pace)
        starvation = 1.0 - pace * (1.0 - loss) / self.process_rate
        return self.starvation_weight * starvation + pace * loss

    def best_pace(self) -> float:
        """By golden sections: the cost falls and then grows (seen, not proved)."""
        low = 0.0
        high = self.process_rate
        while self.cost(2.0 * high) < self.cost(high):
            high *= 2.0
        high *= 2.0
        for _ in range(_STEPS):
            left = high - _GOLDEN * (high - low)
            right = low + _GOLDEN * (high - low)
            if self.cost(left) < self.cost(right):
                high = right
            else:
                low = left
        return (low + high) / 2.0


def _stationary(moves: Floats) -> Floats:
    """Shares of a chain from its chances of moves, those to state 0 left out: they follow."""
    size = len(moves)
    equations: Floats = moves.T - np.eye(size)
    equations[0] = 1.0
    side = np.zeros(size)
    side[0] = 1.0
    return np.asarray(np.linalg.solve(equations, side), dtype=np.float64)
