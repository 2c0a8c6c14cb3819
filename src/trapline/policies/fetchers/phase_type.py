"""phase-type: the best table of wake-ups for processing times as they are measured: `adaptive`
that does not take them for exponential.

Of the processing times are measured, beside their rate, how much they vary (spread) and how long
the longest are (tail). A law in phases with these moments is fitted, and the best table is solved
for it (theory/queueing/phase_queue.py). Documents that take alike long allow a fuller queue with
less loss; a few that take very long (large PDFs) ask for other numbers of fetchers than the rate
alone says. Where processing times are exponential, it plans as `adaptive` does.

Fetch times are taken for exponential: the best table for another law of theirs saves some 2 % at
most (`trapline lab run talim/arrivals`). Queues of more than 10,000 states are planned as by
`adaptive`.

>>> policy = PhaseType(most=16, capacity=5, weight=1.4)
>>> steady = QueueTally(1000.0, 970, 950, 9700.0, 950.0, 20, 0, 0, 950.0, 950.0)
>>> policy.learn(steady)  # each took one second
>>> policy.planned_law.phases, round(policy.planned_law.spread, 2)
(4, 0.25)
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import QueueTally
from trapline.policies.fetchers.adaptive import Adaptive, PlanBook, ratio_at
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.coxian_fits import Moments, fit_moments
from trapline.theory.queueing.drifting_shape import DriftingShape
from trapline.theory.queueing.phase_queue import PhaseQueue

Bools = NDArray[np.bool_]

_GRID: Final = 0.1  # between neighbouring logarithms of spreads, and of tails
_WIDEST: Final = (-14, 70)  # steps: spreads from 0.25, which is four phases, to 1100
_TAILS: Final = (0, 70)
_MOST_PHASES: Final = 4
_MOST_STATES: Final = 10_000  # a robot waits for its plan: some 0.1 s
# as many fetchers as the plan for exponential times ever wakes, and some more: states are saved
_AMPLE: Final = 1.5
_KEPT: Final = 64  # tables; the oldest is forgotten


class Shape(NamedTuple):
    """Spread and tail of processing times on a grid of logarithms."""

    spread: int
    tail: int

    @classmethod
    def near(
        cls,
        moments: Moments,
    ) -> Shape:
        tail = 1.0 if moments.tail is None else moments.tail
        return cls(_step(moments.spread, _WIDEST), _step(tail, _TAILS))

    @property
    def law(self) -> Coxian:
        """Of mean 1."""
        spread = math.exp(_GRID * self.spread)
        return fit_moments(
            Moments(1.0, max(spread, 1.0 / _MOST_PHASES), math.exp(_GRID * self.tail)),
            _MOST_PHASES,
        )


def _step(
    value: float,
    limits: tuple[int, int],
) -> int:
    lowest, highest = limits
    if not value > 0.0:
        return lowest
    return round(max(lowest, min(highest, math.log(value) / _GRID)))


class PhaseBook(PlanBook):
    """Tables by ratio of rates and shape of processing times, each solved once."""

    def __init__(
        self,
        most: int,
        capacity: int,
        weight: float,
    ) -> None:
        super().__init__(most, capacity, weight)
        self._tables: dict[tuple[int, Shape], Bools] = {}

    def table(
        self,
        step: int,
        shape: Shape,
    ) -> Bools:
        key = (step, shape)
        if key not in self._tables:
            self._tables[key] = self._solve(step, shape)
            if len(self._tables) > _KEPT:
                del self._tables[next(iter(self._tables))]
        return self._tables[key]

    def _solve(
        self,
        step: int,
        shape: Shape,
    ) -> Bools:
        """From the plan for exponential times; that itself where the states are too many."""
        known = self.plan(step)
        ample = math.ceil(_AMPLE * known.max_fetchers) + self.capacity
        most = min(self.most, ample)
        law = shape.law
        if law.phases * self.capacity * most > _MOST_STATES:
            return known.wakes
        fetching = Coxian.exponential(ratio_at(step))
        queue = PhaseQueue(fetching, law, self.capacity, self.weight)
        found = queue.solve(most, known.wakes[:, :, : most + 1])
        # whoever is awake beyond what the table knows of goes to rest
        wakes = np.zeros_like(known.wakes)
        wakes[:, :, : most + 1] = found.wakes
        return wakes


class PhaseType(Adaptive):
    def __init__(
        self,
        most: int,
        capacity: int,
        weight: float = 1.0,
        plans: PhaseBook | None = None,
    ) -> None:
        """`weight` is γ/μ: what a second without a page to process costs, in pages that it could
        have processed.
        """
        self._tables = PhaseBook(most, capacity, weight) if plans is None else plans
        super().__init__(most, capacity, weight, self._tables)
        self.shape = DriftingShape()
        self._planned_shape: Shape | None = None

    @property
    def planned_law(self) -> Coxian | None:
        """Of processing times of mean 1, which the table in force was solved for."""
        return None if self._planned_shape is None else self._planned_shape.law

    def _measure(
        self,
        tally: QueueTally,
    ) -> None:
        changes = self.processing.changes
        super()._measure(tally)
        if self.processing.changes > changes:  # it forgot what contradicts
            self.shape.forget()
        sums = (tally.busy_s, tally.busy_squares, tally.busy_cubes)
        self.shape.add(tally.departures, sums)

    def _has_left(
        self,
        place: float,
    ) -> bool:
        if super()._has_left(place):
            return True
        planned = self._planned_shape
        now = Shape.near(self.shape.moments)
        return (
            planned is not None
            and max(abs(now.spread - planned.spread), abs(now.tail - planned.tail)) > 1
        )

    def _table_at(
        self,
        step: int,
    ) -> Bools:
        self._planned_shape = Shape.near(self.shape.moments)
        return self._tables.table(step, self._planned_shape)
