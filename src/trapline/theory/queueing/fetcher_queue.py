"""How many fetchers: the queue between fetchers and response processor, of `talim`.

>>> queue = FetcherQueue(fetch_rate=0.1, process_rate=1.0, capacity=5, starvation_weight=1.4)
>>> best = queue.best_static()
>>> best.fetchers, round(best.cost, 9)
(10, 0.4)
>>> plan = queue.solve(fetchers=10)
>>> round(plan.cost, 5), plan.min_fetchers, round(plan.mean_fetchers, 1)
(0.32198, 4, 8.6)
>>> queue.value_iteration(fetchers=16, reference=(1, 1, 1), tolerance=1e-5).iterations
255
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from trapline.core.errors import MOST, BadNumber, check_count, check_rate
from trapline.theory.queueing.control import Bools
from trapline.theory.queueing.static import best_load, empty_and_full
from trapline.theory.queueing.switching import Plan, Rates, improve, play, solve
from trapline.theory.queueing.value_iteration import Iterated, iterate

_SAME: Final = 1e-12  # costs that differ by less are equal


@dataclass(frozen=True, slots=True)
class StaticPlan:
    """A fixed number of fetchers and its long-run cost."""

    fetchers: int
    cost: float


@dataclass(frozen=True)
class FetcherQueue:
    """Fetchers bring pages at rate λ each to a queue of K places, the one being processed among
    them; processing has rate μ. The cost a unit of time is γ times the share of time without a
    page, plus the rate of pages that find no place. Times are exponential; see `IndexingTimes` for
    others.

    The paper assumes K ≥ 2. K = 1, a processor without a waiting place, is legal: Lemma 1 holds for
    it too (static.py), the best load is √(1 + γ/μ) − 1, and the dynamic plan is solved as for any
    K.
    """

    fetch_rate: float  # λ
    process_rate: float  # μ
    capacity: int  # K
    starvation_weight: float  # γ

    def __post_init__(self) -> None:
        check_rate(
            "the fetch rate λ",
            self.fetch_rate,
            "pages a unit of time that one fetcher brings",
        )
        check_rate(
            "the process rate μ",
            self.process_rate,
            "pages a unit of time that are processed",
        )
        check_rate(
            "the starvation weight γ",
            self.starvation_weight,
            "without it no fetcher at all is best",
        )
        check_count(
            "the capacity K", self.capacity, "the page being processed needs a place"
        )

    @property
    def rates(self) -> Rates:
        return Rates(self.fetch_rate, self.process_rate, self.starvation_weight)

    @property
    def balanced_weight(self) -> float:
        """γ(K) = μ(K+2)/K: the weight at which a load of 1 is best (Lemma 1)."""
        return self.process_rate * (self.capacity + 2) / self.capacity

    def load(self, fetchers: float) -> float:
        """ρ = Nλ/μ."""
        return fetchers * self.fetch_rate / self.process_rate

    def static_cost(self, fetchers: int) -> float:
        """C(ρ, γ, K) of a fixed number of fetchers (eq. 4)."""
        check_count("the number of fetchers N", fetchers, "nobody else brings pages")
        return self.load_cost(self.load(fetchers))

    def load_cost(self, load: float) -> float:
        """C(ρ, γ, K) of any load ρ > 0, also one that no whole number of fetchers gives."""
        check_rate("the load ρ", load, "arrivals for each page that can be processed")
        empty, full = empty_and_full(load, self.capacity)
        return self.starvation_weight * empty + self.process_rate * load * full

    @cached_property
    def best_load(self) -> float:
        """ρ(γ, K), the load of least cost (Lemma 1)."""
        return best_load(self.capacity, self.starvation_weight / self.process_rate)

    def best_static(self) -> StaticPlan:
        """N(γ, K) by Proposition 1: a whole number beside the best load; of two equally good ones
        the smaller.
        """
        near = self.best_load * self.process_rate / self.fetch_rate
        if not near < MOST:
            raise BadNumber(
                "the fetch rate λ",
                self.fetch_rate,
                f"such that fewer than {MOST:,} fetchers are best",
            )
        candidates = {
            max(1, math.floor(near)),
            max(1, math.ceil(near)),
            max(1, round(near)),
        }
        costs = {count: self.static_cost(count) for count in sorted(candidates)}
        least = min(costs.values()) * (1.0 + _SAME)
        fetchers = next(count for count, cost in costs.items() if cost <= least)
        return StaticPlan(fetchers, costs[fetchers])

    def solve(self, fetchers: int, near: Plan | None = None) -> Plan:
        """The best dynamic plan with at most so many fetchers, exactly: policy iteration from the
        static optimum, or from the plan of a queue that is nearly this one.
        """
        check_count("the number of fetchers N", fetchers, "nobody else brings pages")
        if near is not None:
            return improve(self.rates, near.wakes)
        return solve(
            self.rates, self.capacity, fetchers, start=self.best_static().fetchers
        )

    def play(self, wakes: Bools, queue: int = 0, active: int = 1) -> Plan:
        """What any table `wakes[event, queue, active]` leads to, exactly: event 0 a departure, 1 an
        arrival.

        A table may have several closed classes; then it matters where it starts.
        """
        if wakes.ndim != 3 or wakes.shape[:2] != (2, self.capacity + 1):
            raise BadNumber(
                "the shape of the table",
                wakes.shape,
                f"(2, {self.capacity + 1}, fetchers + 1)",
            )
        return play(self.rates, wakes, queue, active)

    def value_iteration(
        self,
        fetchers: int,
        reference: tuple[int, int, int] = (1, 1, 1),
        tolerance: float = 1e-5,
    ) -> Iterated:
        """The paper's own algorithm, with the number of its iterations; `reference` is (queue,
        active, event).
        """
        check_count("the number of fetchers N", fetchers, "nobody else brings pages")
        return iterate(self.rates, self.capacity, fetchers, reference, tolerance)
