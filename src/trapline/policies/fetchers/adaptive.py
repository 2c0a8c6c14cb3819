"""adaptive: the best dynamic plan for the rates as measured: `switching` of `talim` by certainty
equivalence.

The rate of one fetcher is answers brought by fetcher-seconds at work, the rate of the processor
answers processed by seconds with something to process; so neither time need be exponential to be
measured right, and neither is mistaken for slower when it has nothing to do. Only their ratio
matters to the plan. It is solved anew when the ratio has left the one it was solved for by more
than 1 %, on a grid of ratios, so that no plan is solved twice. On the paper's 45 cells a ratio
wrong by 1 % costs at most .6 % and one wrong by 3 % at most 1.7 % of the optimum.

>>> policy = Adaptive(most=16, capacity=5, weight=1.4)
>>> policy.learn(QueueTally(1000.0, 970, 950, 9700.0, 950.0, 20))
>>> round(policy.planned_ratio, 2)
0.1
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import check_count, check_rate
from trapline.core.records import QueueTally
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.theory.queueing.drifting_rate import DriftingRate
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import Plan, level_wakes

_GRID: Final = 0.01  # between neighbouring logarithms of ratios
# steps of the grid: ratios from e^−20 to e^20; beyond them all plans are alike
_FARTHEST: Final = 2000.0
_KEPT: Final = 256  # plans; the oldest is forgotten
_AT_FIRST: Final = 8  # fetchers, before anything is measured
# times as many events as the plan in force was solved with: time to look again
_GROWN: Final = 1.5
_ENOUGH: Final = 16  # answers brought and processed before a first plan


def ratio_at(step: int) -> float:
    """λ/μ at a step of the grid."""
    return math.exp(step * _GRID)


class PlanBook:
    """Plans by ratio of rates λ/μ, each solved once. Several policies may share one."""

    def __init__(self, most: int, capacity: int, weight: float) -> None:
        check_count("the number of fetchers", most, "nobody else brings pages")
        check_count(
            "the room of the queue", capacity, "the page being processed needs a place"
        )
        check_rate(
            "the weight of starvation", weight, "without it no fetcher at all is best"
        )
        self.most = most
        self.capacity = capacity
        self.weight = weight
        self._plans: dict[int, Plan] = {}

    def plan(self, step: int) -> Plan:
        """The plan at a step of the grid, by policy iteration from the nearest one known: a third
        of the work.
        """
        if step not in self._plans:
            queue = FetcherQueue(ratio_at(step), 1.0, self.capacity, self.weight)
            near = min(self._plans, key=lambda known: abs(known - step), default=step)
            self._plans[step] = queue.solve(self.most, self._plans.get(near))
            if len(self._plans) > _KEPT:
                del self._plans[next(iter(self._plans))]
        return self._plans[step]


class Adaptive(FetcherPolicy):
    patience = 64

    def __init__(
        self,
        most: int,
        capacity: int,
        weight: float = 1.0,
        plans: PlanBook | None = None,
    ) -> None:
        """`weight` is γ/μ: what a second without a page to process costs, in pages that it could
        have processed.
        """
        self._plans = PlanBook(most, capacity, weight) if plans is None else plans
        self.start = min(most, _AT_FIRST)
        self.fetching = DriftingRate()
        self.processing = DriftingRate()
        self._step: int | None = None
        self._solved_with = 0.0  # events known when the plan was solved,
        self._solved_after = 0  # and changes of rates noticed by then
        self._wakes = level_wakes(capacity, most, self.start)

    @property
    def planned_ratio(self) -> float:
        """λ/μ that the plan in force was solved for; NaN before the first."""
        return math.nan if self._step is None else ratio_at(self._step)

    def wakes(self) -> NDArray[np.bool_]:
        return self._wakes

    def learn(self, tally: QueueTally) -> None:
        self._measure(tally)
        if min(self.fetching.count, self.processing.count) < _ENOUGH:
            return
        fetch = self.fetching.rate
        process = self.processing.rate
        if not (0.0 < fetch < math.inf and 0.0 < process < math.inf):
            # no time has passed yet: a coarse clock, or a processor that takes none
            return
        place = max(-_FARTHEST, min(_FARTHEST, math.log(fetch / process) / _GRID))
        if self._step is None or (self._has_left(place) and self._knows_more()):
            self._step = round(place)
            self._solved_with = min(self.fetching.count, self.processing.count)
            self._solved_after = self.fetching.changes + self.processing.changes
            self._wakes = self._table_at(self._step)

    def _measure(self, tally: QueueTally) -> None:
        self.fetching.add(tally.arrivals, tally.fetching_s)
        self.processing.add(tally.departures, tally.busy_s)

    def _has_left(self, place: float) -> bool:
        """Whether what is measured now is no longer what the plan in force was solved for."""
        return self._step is not None and abs(place - self._step) > 1.0

    def _table_at(self, step: int) -> NDArray[np.bool_]:
        return self._plans.plan(step).wakes

    def _knows_more(self) -> bool:
        """Solving takes some 25 ms: a few events more move the ratio, but by less than it is
        uncertain anyway.
        """
        changed = self.fetching.changes + self.processing.changes > self._solved_after
        return (
            changed
            or min(self.fetching.count, self.processing.count)
            >= _GROWN * self._solved_with
        )
