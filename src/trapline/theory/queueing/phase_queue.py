"""Fetchers woken one by one when times are not exponential: the control problem of `talim`, section
3, for any times in phases, which its section 5 names as a useful generalisation.

The state says in which phase the page in hand is and how many fetchers are in each phase of their
way (phase_states.py). A controller does not see phases. So two problems are solved:

- `solve`: a table wakes[event, queue, awake], which looks at what a robot can count. All states
  that look alike get one choice: the one that is better on average, weighted by how often each of
  them meets the event. From a first table, while the exact cost falls.
- `seen_cost`: the optimum of a controller that sees every phase, by policy iteration. Nobody who
  sees less can have a lower cost, so it says how much the table may lose.

The paper's example with processing times that hardly vary: the plan for exponential times, the best
table, and the bound.

>>> queue = PhaseQueue(
...     fetching=Coxian.exponential(0.1),
...     processing=Coxian.erlang(mean=1.0, phases=4),
...     capacity=5,
...     starvation_weight=1.4,
... )
>>> plan = queue.solve(fetchers=16)
>>> round(queue.play(queue.exponential.solve(16).wakes).cost, 5)
0.168
>>> round(plan.cost, 5), round(queue.seen_cost(fetchers=16), 5)
(0.16566, 0.16495)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.queueing.block_factors import short_order
from trapline.theory.queueing.control import (
    Bools,
    ChoiceProcess,
    Controlled,
    Floats,
    Ints,
    closed_classes,
    evaluate,
    policy_iteration,
    reached_from,
)
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.fetcher_queue import FetcherQueue, StaticPlan
from trapline.theory.queueing.phase_states import PhaseStates
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE, Plan, level_wakes

_MOST_STEPS: Final = 50
_GAIN: Final = 1e-9  # of the cost: less is not worth another step
_SELDOM: Final = 1e-12  # of the time: what never happens counts this much


@dataclass(frozen=True)
class PhaseQueue:
    """The queue of `FetcherQueue` with times in phases, on the way and in processing."""

    fetching: Coxian  # of mean 1/λ
    processing: Coxian  # of mean 1/μ
    capacity: int  # K
    starvation_weight: float  # γ

    def __post_init__(self) -> None:
        check_rate(
            "the starvation weight γ",
            self.starvation_weight,
            "without it no fetcher at all is best",
        )
        check_count(
            "the capacity K", self.capacity, "the page being processed needs a place"
        )

    @property
    def exponential(self) -> FetcherQueue:
        """The queue of the paper with the same means."""
        return FetcherQueue(
            1.0 / self.fetching.mean,
            1.0 / self.processing.mean,
            self.capacity,
            self.starvation_weight,
        )

    def solve(
        self,
        fetchers: int,
        near: Bools | None = None,
    ) -> Plan:
        """The best table for at most so many fetchers that no step makes better, from one that is
        near to it: the plan for exponential times, if none is told.
        """
        world = _world(self, fetchers)
        wakes = self.exponential.solve(fetchers).wakes if near is None else near.copy()
        wakes[DEPARTURE, :, -1] = False  # there are no more
        found = world.judge(wakes)
        for steps in range(1, _MOST_STEPS):
            better = world.improve(found, wakes)
            if better is None:
                return world.plan(found, wakes, steps)
            found, wakes = better
        return world.plan(found, wakes, _MOST_STEPS)

    def seen_cost(
        self,
        fetchers: int,
    ) -> float:
        """The least cost if phases were seen."""
        world = _world(self, fetchers)
        start = world.choice_from(self.exponential.solve(fetchers).wakes)
        return policy_iteration(world.process, start).cost

    def play(
        self,
        wakes: Bools,
    ) -> Plan:
        """What any table leads to, exactly, from one fetcher at work and nothing in the queue."""
        if wakes.ndim != 3 or wakes.shape[:2] != (2, self.capacity + 1):
            raise BadNumber(
                "the shape of the table",
                wakes.shape,
                f"(2, {self.capacity + 1}, fetchers + 1)",
            )
        world = _world(self, wakes.shape[2] - 1)
        found = reached_from(world.process, world.choice_from(wakes), world.start)
        return world.plan(found, wakes, 1)

    def static_cost(
        self,
        fetchers: int,
    ) -> float:
        """Of a fixed number of fetchers."""
        check_count("the number of fetchers N", fetchers, "nobody else brings pages")
        return self.play(level_wakes(self.capacity, fetchers, fetchers)).cost

    def best_static(self) -> StaticPlan:
        """The number from which one more or one less costs more, from that of exponential times
        on.
        """
        count = self.exponential.best_static().fetchers
        costs = {count: self.static_cost(count)}
        while True:
            for near in (count - 1, count + 1):
                if near >= 1 and near not in costs:
                    costs[near] = self.static_cost(near)
            best = min(costs, key=lambda one: (costs[one], one))
            if best == count:
                return StaticPlan(best, costs[best])
            count = best


@dataclass(frozen=True)
class _World:
    """Events: a departure, the next phase of the page in hand, arrivals by leg, next legs.

    Choices at departures and arrivals: 0 = nobody is woken, 1 = one is.
    """

    states: PhaseStates
    process: ChoiceProcess
    kinds: Ints  # [event] DEPARTURE, ARRIVAL, or −1 where nothing is to be chosen

    @property
    def start(self) -> int:
        """Nothing in the queue, one fetcher at work and just begun."""
        first = self.states.teams.after(None, 0)[0]
        return int(self.states.place[0, 0, first])

    def choice_from(
        self,
        wakes: Bools,
    ) -> Ints:
        """A table as choices; where one may not be made, the other."""
        states = self.states
        wished = np.zeros(self.process.rate.shape, dtype=np.int64)
        for event, kind in enumerate(self.kinds):
            if kind >= 0:
                wished[event] = wakes[kind, states.queue, states.at_work]
        chosen = np.take_along_axis(self.process.target, wished[:, None, :], axis=1)
        other = (chosen[:, 0, :] < 0) & (self.kinds >= 0)[:, None]
        return np.where(other, 1 - wished, wished)

    def judge(
        self,
        wakes: Bools,
        near: int | None = None,
    ) -> Controlled:
        """`near` is a state that is thought to be visited often."""
        return evaluate(self.process, self.choice_from(wakes), near=near)

    def improve(
        self,
        found: Controlled,
        wakes: Bools,
    ) -> tuple[Controlled, Bools] | None:
        """Wake where that is better on average over the states that look alike: in all places, or
        in fewer and fewer of those that promise most, until the cost is lower.
        """
        gain = self.gains(found, wakes.shape)
        change = np.where(wakes, gain, -gain)
        places = np.argsort(-change, axis=None)[: int((change > 0.0).sum())]
        usual = int(found.share.argmax())
        while len(places) and change.flat[places[0]] > _GAIN * found.cost:
            better = wakes.copy()
            better.flat[places] = ~better.flat[places]
            if len(closed_classes(self.process, self.choice_from(better))) == 1:
                after = self.judge(better, usual)
                if after.cost < found.cost * (1.0 - _GAIN):
                    return after, better
            places = places[: len(places) // 2]
        return None

    def gains(
        self,
        found: Controlled,
        shape: tuple[int, ...],
    ) -> Floats:
        """[event, queue, at work] what waking one costs more, a unit of time, than not waking it;
        0 where there is no choice.
        """
        states = self.states
        gain = np.zeros(shape)
        for event in np.flatnonzero(self.kinds >= 0):
            rest, wake = self.process.target[event]
            free = (rest >= 0) & (wake >= 0) & (self.process.rate[event] > 0.0)
            weight = (found.share + _SELDOM) * self.process.rate[event]
            more = weight * (found.relative[wake] - found.relative[rest])
            place = (states.queue[free], states.at_work[free])
            np.add.at(gain[self.kinds[event]], place, more[free])
        return gain

    def plan(
        self,
        found: Controlled,
        wakes: Bools,
        evaluations: int,
    ) -> Plan:
        states = self.states
        full = states.queue == len(states.place) - 1
        arrivals = self.process.rate[self.kinds == ARRIVAL].sum(axis=0)
        return Plan(
            wakes=wakes,
            cost=found.cost,
            starvation=float(found.share[states.queue == 0].sum()),
            loss_rate=float(found.share[full] @ arrivals[full]),
            mean_fetchers=float(found.share @ states.at_work),
            min_fetchers=int(states.at_work[found.visited].min()),
            evaluations=evaluations,
            states=len(states.queue),
        )


@lru_cache(maxsize=4)  # a table is solved, judged and compared in one world
def _world(
    queue: PhaseQueue,
    fetchers: int,
) -> _World:
    check_count("the number of fetchers N", fetchers, "nobody else brings pages")
    legs = queue.fetching.phases
    states = PhaseStates.all(queue.capacity, fetchers, queue.processing.phases, legs)
    rates = np.vstack(
        (_processing_rates(queue, states), _fetching_rates(queue, states))
    )
    targets = [*_processing_targets(states), *_fetching_targets(states, legs)]
    full = states.queue == queue.capacity
    arrivals = rates[2 : 2 + legs].sum(axis=0)
    process = ChoiceProcess(
        cost=queue.starvation_weight * (states.queue == 0) + arrivals * full,
        rate=rates,
        target=np.array(targets),
        order=short_order((states.queue, states.at_work)),
    )
    kinds = [DEPARTURE, -1] + [ARRIVAL] * legs + [-1] * (legs - 1)
    return _World(states, process, np.array(kinds))


def _processing_rates(
    queue: PhaseQueue,
    states: PhaseStates,
) -> Floats:
    """Of a departure, and of the next phase."""
    goes_on = np.array(queue.processing.goes_on)[states.stage]
    rate = np.array(queue.processing.rates)[states.stage] * (states.queue > 0)
    return np.stack((rate * (1.0 - goes_on), rate * goes_on))


def _fetching_rates(
    queue: PhaseQueue,
    states: PhaseStates,
) -> Floats:
    """Of an arrival from each leg, and of the next leg from each but the last."""
    goes_on = np.array(queue.fetching.goes_on)[:, None]
    counts = states.teams.counts[:, states.team]
    rate = np.array(queue.fetching.rates)[:, None] * counts
    return np.vstack((rate * (1.0 - goes_on), (rate * goes_on)[:-1]))


def _processing_targets(states: PhaseStates) -> list[list[Ints]]:
    """[event][choice]: the next page begins in the first phase."""
    less = np.maximum(states.queue - 1, 0)
    first = np.zeros_like(states.stage)
    same = states.teams.after(None, None)
    woken = states.teams.after(None, 0)
    next_stage = np.minimum(states.stage + 1, states.place.shape[1] - 1)
    return [
        [states.number(less, first, same), states.number(less, first, woken)],
        [states.number(states.queue, next_stage, same), _none(states)],
    ]


def _fetching_targets(
    states: PhaseStates,
    legs: int,
) -> list[list[Ints]]:
    more = np.minimum(states.queue + 1, len(states.place) - 1)
    after = states.teams.after
    arrivals = [
        [states.number(more, states.stage, after(leg, joins)) for joins in (None, 0)]
        for leg in range(legs)
    ]
    moves = [
        [states.number(states.queue, states.stage, after(leg, leg + 1)), _none(states)]
        for leg in range(legs - 1)
    ]
    return arrivals + moves


def _none(states: PhaseStates) -> Ints:
    return np.full_like(states.queue, -1)
