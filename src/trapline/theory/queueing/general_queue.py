"""A fixed number of fetchers and indexing times of any law: the M/G/1/K queue, which `talim` names
(sections 5 and 6) as a useful generalisation of its M/M/1/K and leaves to another paper.

Look at the queue only when a page leaves it. With A the pages that arrive during one indexing, a_0
= P(A = 0), the chance π_k that k pages are left behind follows from what crosses each level upwards
and downwards (no term is negative)

    π_{k+1}·a_0 = π_0·P(A > k) + Σ_{i=1..k} π_i·P(A > k−i+1),        k = 0 … K−2.

Each indexing loses L = π_0·E(A−K+1)⁺ + Σ_{i≥1} π_i·E(A−K+i)⁺ pages and is followed by one
departure, so that P(full) = L/(1+L) and P(empty) = π_0/(1+L); and 1 + L = π_0 + ρ.

The paper's first example with its exponential times, and with times that do not vary:

>>> times = IndexingTimes.exponential(rate=1.0)
>>> queue = GeneralQueue(0.1, times, capacity=5, starvation_weight=1.4)
>>> best = queue.best_static()
>>> best.fetchers, round(best.cost, 9)
(10, 0.4)
>>> times = IndexingTimes.deterministic(mean=1.0)
>>> queue = GeneralQueue(0.1, times, capacity=5, starvation_weight=1.4)
>>> best = queue.best_static()
>>> best.fetchers, round(best.cost, 5)
(10, 0.24828)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.queueing.control import Floats
from trapline.theory.queueing.fetcher_queue import StaticPlan
from trapline.theory.queueing.indexing_times import IndexingTimes

# a chance that this queue is ever found empty which no cost can show
_NEVER: Final = 1e-280
_STEPS: Final = 8  # to either side, in one pass of the search


@dataclass(frozen=True)
class GeneralQueue:
    """The queue of `FetcherQueue` with a fixed number of fetchers and indexing times of any law."""

    fetch_rate: float  # λ
    indexing: IndexingTimes  # of mean 1/μ
    capacity: int  # K, the page being indexed included
    starvation_weight: float  # γ

    def __post_init__(self) -> None:
        check_rate(
            "the fetch rate λ",
            self.fetch_rate,
            "pages a unit of time that one fetcher brings",
        )
        if not isinstance(self.indexing, IndexingTimes):
            raise BadNumber(
                "the law of indexing",
                self.indexing,
                "such as IndexingTimes.exponential(rate)",
            )
        check_rate(
            "the starvation weight γ",
            self.starvation_weight,
            "without it no fetcher at all is best",
        )
        check_count(
            "the capacity K", self.capacity, "the page being indexed needs a place"
        )

    def load(self, fetchers: int) -> float:
        """ρ = Nλ/μ."""
        return fetchers * self.fetch_rate * self.indexing.mean

    def starvation(self, fetchers: int) -> float:
        """The share of time without a page."""
        return self._starved_and_lost(fetchers)[0]

    def loss_rate(self, fetchers: int) -> float:
        """Pages a unit of time that find no place."""
        return self._starved_and_lost(fetchers)[1]

    def static_cost(self, fetchers: int) -> float:
        """γ·P(empty) + λN·P(full), as in eq. 2 of the paper."""
        starvation, loss_rate = self._starved_and_lost(fetchers)
        return self.starvation_weight * starvation + loss_rate

    def best_static(self) -> StaticPlan:
        """The number of least cost, of equally good ones the smallest: by powers of 2, then in
        finer and finer steps.

        At least λN − μ pages are lost, which says when to stop. As C = (γ+μ)·P(empty) + λN − μ, the
        cost falls and then rises wherever starvation is convex in N. That is proved for exponential
        times only (Lemma 1); among thousands of other laws none was seen to break it, but the
        search would miss a second valley between two of its steps.
        """
        costs = {1: self.static_cost(1)}
        count = 2
        while count * self.fetch_rate - 1.0 / self.indexing.mean < min(costs.values()):
            costs[count] = self.static_cost(count)
            count *= 2
        reach = best = min(costs, key=costs.__getitem__)
        while reach:
            step = max(1, reach // _STEPS)
            near = range(max(1, best - reach), best + reach + 1, step)
            costs |= {
                count: self.static_cost(count) for count in near if count not in costs
            }
            best = min(costs, key=lambda count: (costs[count], count))
            reach = step if step > 1 else 0
        return StaticPlan(best, costs[best])

    def _starved_and_lost(self, fetchers: int) -> tuple[float, float]:
        check_count("the number of fetchers N", fetchers, "nobody else brings pages")
        rate = fetchers * self.fetch_rate
        places = self.capacity
        nobody = float(self.indexing.arrivals(rate, 0)[0])
        if places > 1 and nobody < _NEVER:
            return 0.0, rate - 1.0 / self.indexing.mean
        more = self.indexing.more_arrivals(rate, places - 1)
        left = _left_behind(nobody, more)
        # E(A − n)⁺, n = 0 … K
        surplus = np.cumsum(np.append(more, self.indexing.surplus(rate, places))[::-1])[
            ::-1
        ]
        lost = float(
            left[0] * surplus[places - 1] + left[1:] @ surplus[places - 1 : 0 : -1]
        )
        return float(left[0]) / (1.0 + lost), rate * lost / (1.0 + lost)


def _left_behind(nobody: float, more: Floats) -> Floats:
    """π_k, k = 0 … K−1, from a_0 and P(A > j), j = 0 … K−1; scaled on the way, for at high loads π
    grows beyond all numbers.
    """
    left = np.zeros(len(more))
    left[0] = 1.0
    for k in range(len(more) - 1):
        following = (left[0] * more[k] + left[1 : k + 1] @ more[k:0:-1]) / nobody
        left[: k + 1] /= max(1.0, following)
        left[k + 1] = min(1.0, following)
    chances: Floats = left / left.sum()
    return chances
