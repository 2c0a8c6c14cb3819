"""Fetchers woken and put to sleep one by one: the Markov decision process of `talim`, section 3,
solved exactly.

The state (q, r) after a decision: q pages in the queue (the one being processed among them), r
fetchers at work. Each brings a page at rate λ and rests, unless it is woken again at once; a page
is processed at rate μ, and one more may be woken then. The paper's misprints are corrected: (0, 0)
is excluded, so a departure at (1, 0) must wake.

    θ = γ·1(q=0) + λr·1(q=K) + μ·1(q>0)·[min_a h(q−1, r+a) − h(q, r)] + λr·[min_a h(min(q+1,K),
    r−1+a) − h(q, r)]

Large queues are solved on a *strip*: only states near those that the plan visits, widened until the
plan no longer touches its edge. A strip lo(q) ≤ r ≤ hi(q) whose bounds fall by at most 1 with each
q can be kept to from all its states. Outside it the plan is to come back: wake below, rest above.

>>> plan = solve(Rates(0.1, 1.0, 1.4), capacity=5, fetchers=16, start=10)
>>> round(plan.cost, 8), plan.min_fetchers, plan.max_fetchers, round(plan.mean_fetchers, 1)
(0.2592396, 4, 16, 9.8)
>>> plan.wake(queue=3, active=9, event="departure"), plan.wake(queue=4, active=9, event="departure")
(True, False)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Final, Literal, NamedTuple

import numpy as np

from trapline.core.errors import BadNumber
from trapline.theory.queueing.block_factors import short_order
from trapline.theory.queueing.control import (
    Bools,
    ChoiceProcess,
    Controlled,
    Ints,
    policy_iteration,
    reached_from,
)

DEPARTURE: Final = 0
ARRIVAL: Final = 1
EVENTS: Final = {"departure": DEPARTURE, "arrival": ARRIVAL}
_WHOLE: Final = 20_000  # states up to which the whole grid is as fast as a strip
_MARGIN: Final = 16


class Rates(NamedTuple):
    """λ of one fetcher, μ of the response processor, γ the weight of starvation: all a unit of
    time.
    """

    fetch: float
    process: float
    weight: float


@dataclass(frozen=True)
class Plan:
    """When to wake a fetcher, and what that leads to in the long run.

    `wakes[event, queue, active]` counts both as they were just *before* the event, as the paper
    does: at an arrival the fetcher that came home is still among the active, and waking it again
    leaves their number as it was.
    """

    wakes: Bools
    cost: float  # γ·starvation + loss_rate
    starvation: float  # share of the time without a page to process
    loss_rate: float  # pages a unit of time that find the queue full
    mean_fetchers: float
    min_fetchers: int  # the fewest that are ever at work in the long run
    evaluations: int  # of policies, until this one could not be improved
    states: int  # that were looked at

    @property
    def capacity(self) -> int:
        return int(self.wakes.shape[1]) - 1

    @property
    def fetchers(self) -> int:
        return int(self.wakes.shape[2]) - 1

    def wake(
        self, *, queue: int, active: int, event: Literal["arrival", "departure"]
    ) -> bool:
        """Whether to wake a fetcher at this event, `queue` pages and `active` fetchers being there
        just before it.
        """
        if event not in EVENTS:
            raise BadNumber("the event", repr(event), "'arrival' or 'departure'")
        least_queue, least_active = (1, 0) if event == "departure" else (0, 1)
        if not (isinstance(queue, Integral) and least_queue <= queue <= self.capacity):
            raise BadNumber(
                f"the queue before the {event}",
                queue,
                f"from {least_queue} to {self.capacity}",
            )
        if not (
            isinstance(active, Integral) and least_active <= active <= self.fetchers
        ):
            wanted = f"from {least_active} to {self.fetchers}"
            raise BadNumber(f"the active fetchers before the {event}", active, wanted)
        return bool(self.wakes[EVENTS[event], queue, active])

    @cached_property
    def departure_curve(self) -> Ints:
        """f0(r), r = 0 … N−1: a departure wakes iff the queue before it is at most f0(r); 0 =
        never.
        """
        return departure_curve(self.wakes)

    @cached_property
    def arrival_curve(self) -> Ints:
        """f1(r), r = 1 … N: the fetcher that came home is woken again iff the queue before was ≤
        f1(r); −1 = never.
        """
        return arrival_curve(self.wakes)

    @property
    def max_fetchers(self) -> int:
        """N_max of Table 2: the largest number at which a departure may still wake one; N if only N
        stops it.
        """
        waking = np.flatnonzero(self.departure_curve >= 1)
        most = int(waking[-1]) if len(waking) else 0
        return self.fetchers if most == self.fetchers - 1 else most

    @property
    def is_monotone(self) -> bool:
        """Whether the plan is a pair of decreasing switching curves, which the paper suspects and
        does not prove.
        """
        by_queue = (
            np.diff(self.wakes[DEPARTURE, 1:, :-1].astype(int), axis=0) <= 0
        ).all()
        by_queue = (
            by_queue
            and (np.diff(self.wakes[ARRIVAL, :, 1:].astype(int), axis=0) <= 0).all()
        )
        falls = (np.diff(self.departure_curve) <= 0).all() and (
            np.diff(self.arrival_curve) <= 0
        ).all()
        return bool(by_queue and falls)


def departure_curve(wakes: Bools) -> Ints:
    """Of any table of wake-ups, as `Plan.departure_curve`.

    >>> departure_curve(level_wakes(capacity=3, fetchers=2, level=1)).tolist()
    [3, 0]
    """
    return _highest(wakes[DEPARTURE, 1:, :-1]) + 1


def arrival_curve(wakes: Bools) -> Ints:
    """Of any table of wake-ups, as `Plan.arrival_curve`.

    >>> arrival_curve(level_wakes(capacity=3, fetchers=2, level=1)).tolist()
    [3, -1]
    """
    return _highest(wakes[ARRIVAL, :, 1:])


def _highest(wakes: Bools) -> Ints:
    """The last row that is true in each column; −1 where none is."""
    rows = np.arange(len(wakes))[:, None]
    highest: Ints = np.where(wakes, rows, -1).max(axis=0)
    return highest


@dataclass(frozen=True)
class Strip:
    """States (q, r) with low[q] ≤ r ≤ high[q], numbered row by row."""

    low: Ints
    high: Ints
    fetchers: int

    @classmethod
    def whole(cls, capacity: int, fetchers: int) -> Strip:
        return cls(_floor(capacity), np.full(capacity + 1, fetchers), fetchers)

    @classmethod
    def around(cls, low: Ints, high: Ints, margin: int, fetchers: int) -> Strip:
        """Widened by `margin`, and where needed more, so that both bounds fall by 0 or 1 from each
        q to the next.
        """
        places = np.arange(len(low))
        low = np.maximum(low - margin, _floor(len(low) - 1))
        high = np.minimum(high + margin, fetchers)
        low = np.minimum.accumulate(low)
        low = np.minimum.accumulate((low + places)[::-1])[::-1] - places
        high = np.maximum.accumulate(high[::-1])[::-1]
        high = np.maximum.accumulate(high + places) - places
        return cls(
            np.maximum(low, _floor(len(low) - 1)), np.minimum(high, fetchers), fetchers
        )

    @cached_property
    def first(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self.high - self.low + 1)))

    @cached_property
    def states(self) -> tuple[Ints, Ints]:
        widths = self.high - self.low + 1
        queue = np.repeat(np.arange(len(widths)), widths)
        return queue, np.arange(self.first[-1]) - self.first[queue] + self.low[queue]

    def number(self, queue: Ints, active: Ints) -> Ints:
        inside = (active >= self.low[queue]) & (active <= self.high[queue])
        return np.where(inside, self.first[queue] + active - self.low[queue], -1)

    def process(self, rates: Rates) -> ChoiceProcess:
        queue, active = self.states
        capacity = len(self.low) - 1
        less = np.maximum(queue - 1, 0)
        more = np.minimum(queue + 1, capacity)
        arrivals = rates.fetch * active
        return ChoiceProcess(
            cost=rates.weight * (queue == 0) + arrivals * (queue == capacity),
            rate=np.stack((np.where(queue > 0, rates.process, 0.0), arrivals)),
            target=np.stack(
                (
                    np.stack(
                        (self.number(less, active), self.number(less, active + 1))
                    ),
                    np.stack(
                        (self.number(more, active - 1), self.number(more, active))
                    ),
                )
            ),
            order=short_order((queue, active)),
        )

    def choice_from(self, wakes: Bools, process: ChoiceProcess) -> Ints:
        """A table of wake-ups as choices in this strip; where that would leave it, the other
        choice.
        """
        queue, active = self.states
        wished = wakes[:, queue, active].astype(np.int64)
        allowed = (
            np.take_along_axis(process.target, wished[:, None, :], axis=1)[:, 0, :] >= 0
        )
        return np.where(allowed, wished, 1 - wished)

    def wakes_from(self, choice: Ints) -> Bools:
        """Choices as a table over all states: below the strip wake, above it rest."""
        queue, active = self.states
        capacity = len(self.low) - 1
        wakes = np.empty((2, capacity + 1, self.fetchers + 1), dtype=bool)
        wakes[:] = np.arange(self.fetchers + 1) < self.low[:, None]
        wakes[:, queue, active] = choice == 1
        wakes[DEPARTURE, 0, :] = False
        wakes[DEPARTURE, :, -1] = False
        wakes[ARRIVAL, :, 0] = False
        return wakes


def _floor(capacity: int) -> Ints:
    """The least r at each q: (0, 0) is excluded, nobody would ever come out of it."""
    floor = np.zeros(capacity + 1, dtype=np.int64)
    floor[0] = 1
    return floor


def level_wakes(capacity: int, fetchers: int, level: int) -> Bools:
    """The table that keeps `level` of `fetchers` at work: the static policy, written as a dynamic
    one.
    """
    active = np.arange(fetchers + 1)
    wakes = np.empty((2, capacity + 1, fetchers + 1), dtype=bool)
    wakes[DEPARTURE] = active < level
    wakes[ARRIVAL] = (active <= level) & (active > 0)
    wakes[DEPARTURE, 0, :] = False
    return wakes


def solve(
    rates: Rates, capacity: int, fetchers: int, start: int, whole: int | None = None
) -> Plan:
    """The best plan, by policy iteration from the static policy of `start` fetchers."""
    start = min(start, fetchers)
    return improve(rates, level_wakes(capacity, fetchers, start), whole)


def improve(rates: Rates, wakes: Bools, whole: int | None = None) -> Plan:
    """The best plan, by policy iteration from any table of wake-ups: a near one needs few steps.

    Up to `whole` states the whole grid is solved, else strips of it.
    """
    capacity = wakes.shape[1] - 1
    fetchers = wakes.shape[2] - 1
    if (capacity + 1) * (fetchers + 1) <= (_WHOLE if whole is None else whole):
        strip = Strip.whole(capacity, fetchers)
        process = strip.process(rates)
        return _plan(
            strip, process, policy_iteration(process, strip.choice_from(wakes, process))
        )
    return _improve_on_strips(rates, wakes, capacity, fetchers)


def _improve_on_strips(
    rates: Rates, wakes: Bools, capacity: int, fetchers: int
) -> Plan:
    waking = np.flatnonzero(wakes[ARRIVAL, 0])
    level = np.full(capacity + 1, waking[-1] if len(waking) else 1)
    strip = Strip.around(level, level, _MARGIN, fetchers)
    margin = _MARGIN
    evaluations = 0
    while True:
        process = strip.process(rates)
        found = policy_iteration(process, strip.choice_from(wakes, process))
        evaluations += found.evaluations
        low, high, touches = _extent(strip, found)
        if not touches:
            return _plan(strip, process, found, evaluations)
        wakes = strip.wakes_from(found.choice)
        margin = margin * 3 // 2
        strip = Strip.around(low, high, margin, fetchers)


def _extent(strip: Strip, found: Controlled) -> tuple[Ints, Ints, bool]:
    """Least and most active that the plan visits at each q, and whether it comes to an edge that is
    not the world's.
    """
    queue, active = strip.states
    low = np.full(len(strip.low), strip.fetchers)
    high = np.full(len(strip.low), -1)
    np.minimum.at(low, queue[found.visited], active[found.visited])
    np.maximum.at(high, queue[found.visited], active[found.visited])
    floor = _floor(len(low) - 1)
    touches = ((low == strip.low) & (low > floor)) | (
        (high == strip.high) & (high < strip.fetchers)
    )
    return low, high, bool(touches.any())


def play(rates: Rates, wakes: Bools, queue: int = 0, active: int = 1) -> Plan:
    """What a given table of wake-ups leads to, exactly, from so many in the queue and at work."""
    strip = Strip.whole(wakes.shape[1] - 1, wakes.shape[2] - 1)
    process = strip.process(rates)
    start = int(strip.number(np.array([queue]), np.array([active]))[0])
    return _plan(
        strip, process, reached_from(process, strip.choice_from(wakes, process), start)
    )


def _plan(
    strip: Strip,
    process: ChoiceProcess,
    found: Controlled,
    evaluations: int | None = None,
) -> Plan:
    queue, active = strip.states
    starvation = float(found.share[queue == 0].sum())
    full = queue == len(strip.low) - 1
    return Plan(
        wakes=strip.wakes_from(found.choice),
        cost=found.cost,
        starvation=starvation,
        loss_rate=float(found.share[full] @ process.rate[ARRIVAL, full]),
        mean_fetchers=float(found.share @ active),
        min_fetchers=int(active[found.visited].min()),
        evaluations=found.evaluations if evaluations is None else evaluations,
        states=len(queue),
    )
