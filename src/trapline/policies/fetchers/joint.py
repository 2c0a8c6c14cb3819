"""joint: whether another fetch is worthwhile, by its price and by the state of the response queue.

The future work of `whittle`: market price and indexing engine decide together. Rates are measured
as by `adaptive`. From the visits that are bought it learns what a usual one is worth and how fast
that fades while an answer waits; both are running means over about the last hundred. The plan
(theory/queueing/joint_control.py) says what the next visit must be worth, queue by queue and
fetcher by fetcher. Where reading is the bottleneck and what waits fades, fewer and dearer visits
are made; where waiting costs nothing, the reader never starves. There is no weight to choose.

What has no price (interval rules, visits in turn) is taken for usual.

>>> policy = Joint(most=16, capacity=8)
>>> policy.note_visit(price=10.0, loss_per_s=0.5)  # it fades by 5 % a second
>>> policy.learn(QueueTally(1000.0, 970, 950, 9700.0, 950.0, 0))
>>> [policy.reserves(queue).prices[8].round(1).item() for queue in (0, 4, 8)]
[6.8, 10.0, 10.4]
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import check_count
from trapline.core.records import QueueTally
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy, Reserves
from trapline.theory.queueing.control import Floats
from trapline.theory.queueing.drifting_rate import DriftingRate
from trapline.theory.queueing.joint_control import JointPlan, solve_joint
from trapline.theory.queueing.switching import level_wakes

_AT_FIRST: Final = 8  # fetchers, before anything is measured
_ENOUGH: Final = 16  # answers brought and processed before a first plan
_LATELY: Final = 100.0  # visits over which worth and loss are averaged
_SAME: Final = 0.05  # in the logarithm of a rate: a plan for it is still good
_KEPT: Final = 64  # plans; the oldest is forgotten
_FARTHEST: Final = 20.0  # logarithms beyond which all plans are alike
_NO_DECAY: Final = 1e-6  # of its worth in a reading time: as good as none

_FAR: Final = 2  # steps of so much, from which on another plan is looked for

_Place = tuple[int, int]


class Joint(FetcherPolicy):
    prices_visits = True

    def __init__(
        self,
        most: int,
        capacity: int,
    ) -> None:
        check_count("the number of fetchers", most, "nobody else brings pages")
        check_count(
            "the room of the queue", capacity, "the page being processed needs a place"
        )
        self.start = most
        self.fetching = DriftingRate()
        self.processing = DriftingRate()
        self.usual = 0.0  # price of a visit
        self._loss = 0.0  # a second
        self._visits = 0.0
        self._most = most
        self._capacity = capacity
        self._wakes = level_wakes(capacity, most, most)
        self._plans: dict[_Place, JointPlan] = {}
        self._place: _Place | None = None
        first = np.where(np.arange(most + 1) < min(most, _AT_FIRST), -np.inf, np.inf)
        self._reserves: Floats = np.tile(first, (capacity + 1, 1))

    def wakes(self) -> NDArray[np.bool_]:
        """All may work: each visit is judged by itself."""
        return self._wakes

    def reserves(
        self,
        queue: int,
    ) -> Reserves:
        usual = self.usual or 1.0
        return Reserves(usual * self._reserves[min(queue, self._capacity)], usual)

    def note_visit(
        self,
        price: float,
        loss_per_s: float,
    ) -> None:
        if not math.isfinite(price):
            return
        self._visits += 1.0
        step = max(1.0 / self._visits, 1.0 / _LATELY)
        self.usual += step * (price - self.usual)
        self._loss += step * (loss_per_s - self._loss)

    @property
    def fading(self) -> float:
        """The share of its worth that a usual visit loses a second while it waits."""
        return self._loss / self.usual if self.usual > 0.0 else 0.0

    def learn(
        self,
        tally: QueueTally,
    ) -> None:
        self.fetching.add(tally.arrivals, tally.fetching_s)
        self.processing.add(tally.departures, tally.busy_s)
        if min(self.fetching.count, self.processing.count) < _ENOUGH:
            return
        fetch = self.fetching.rate
        process = self.processing.rate
        if 0.0 < fetch < math.inf and 0.0 < process < math.inf:
            decay = max(_NO_DECAY, self.fading / process)
            place = (_step(fetch / process), _step(decay))
            if self._place is None or _distance(place, self._place) > _FAR:
                self._place = place
                self._reserves = self._plan(place).reserves

    def _plan(
        self,
        place: _Place,
    ) -> JointPlan:
        """Each is solved once, from the nearest one known: a third of the work."""
        if place not in self._plans:
            fetch, decay = (math.exp(step * _SAME) for step in place)
            near = min(self._plans, key=partial(_distance, place), default=None)
            start = None if near is None else self._plans[near].wakes
            plan = solve_joint(fetch, decay, self._capacity, self._most, start)
            self._plans[place] = plan
            if len(self._plans) > _KEPT:
                del self._plans[next(iter(self._plans))]
        return self._plans[place]


def _distance(
    one: _Place,
    other: _Place,
) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _step(ratio: float) -> int:
    return round(max(-_FARTHEST, min(_FARTHEST, math.log(ratio))) / _SAME)
