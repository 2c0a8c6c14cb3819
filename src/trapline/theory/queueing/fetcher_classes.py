"""Fetchers of several speeds, woken and put to sleep one by one: what `talim` asks for last
(sections 5 and 6: "a realistic model may require that robots not all be considered identical"),
solved as its section 3 is, exactly.

The state (q, r1 … rm) after a decision: q pages in the queue, ri fetchers of class i at work, which
bring pages at rate λi each. One that brings a page rests, unless it is woken again at once; at a
departure nobody or one of any class is woken. Eq. 24 of the paper becomes, with ei one fetcher of
class i,

    θ = γ·1(q=0) + Σ_i λi·ri·1(q=K) + μ·1(q>0)·[min over r' ∈ {r, r+e1 … r+em} of h(q−1, r') −
    h(q, r)]
        + Σ_i λi·ri·[min over r' ∈ {r−ei, r} of h(min(q+1, K), r') − h(q, r)].

(0, 0 … 0) is excluded, so a departure at (1, 0 … 0) must wake somebody. There are (K+1)·Π(Ni+1) − 1
states: some ten thousand take seconds.

>>> queue = ClassQueue(
...     fetch_rates=(0.05, 0.1, 0.2), process_rate=1.0, capacity=4, starvation_weight=1.4
... )
>>> plan = queue.solve(fetchers=(4, 3, 2))
>>> round(plan.cost, 5), [round(mean, 1) for mean in plan.mean_fetchers]
(0.42278, [3.6, 2.6, 1.7])
>>> plan.wake_at_departure(queue=1, active=(4, 2, 1)), plan.wake_at_departure(4, (4, 3, 1))
(2, None)
>>> plan.wake_again(queue=4, active=(4, 3, 2), kind=0)
False
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.queueing.block_factors import short_order
from trapline.theory.queueing.control import (
    Bools,
    ChoiceProcess,
    Controlled,
    Floats,
    Ints,
    evaluate,
    policy_iteration,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE, Plan

Counts = tuple[int, ...]


@dataclass(frozen=True)
class ClassPlan:
    """Whom to wake, and what that leads to in the long run.

    Tables and questions count what is there just *before* the event, as the paper does: at an
    arrival the fetcher that came home is still among the active.
    """

    departures: Ints  # [queue, active …] the class to wake; −1 = nobody
    # [class, queue, active …] whether one that brings a page is woken again at once
    again: Bools
    cost: float  # γ·starvation + loss_rate
    starvation: float  # share of the time without a page to process
    loss_rate: float  # pages a unit of time that find the queue full
    mean_fetchers: tuple[float, ...]
    evaluations: int  # of policies, until this one could not be improved

    def wake_at_departure(
        self,
        queue: int,
        active: Counts,
    ) -> int | None:
        """The class, counted from 0, of which to wake one when a page has been processed; None to
        wake nobody.
        """
        self._check(queue, active, least=1)
        kind = int(self.departures[queue, *active])
        return None if kind < 0 else kind

    def wake_again(
        self,
        queue: int,
        active: Counts,
        kind: int,
    ) -> bool:
        """Whether a fetcher of this class that brings a page is woken again at once."""
        self._check(queue, active, least=0)
        if kind not in range(len(active)) or active[kind] < 1:
            raise BadNumber(
                "the class of a fetcher that brings a page",
                kind,
                f"one of those at work: {active}",
            )
        return bool(self.again[kind, queue, *active])

    def _check(
        self,
        queue: int,
        active: Counts,
        least: int,
    ) -> None:
        capacity = self.departures.shape[0] - 1
        most = tuple(places - 1 for places in self.departures.shape[1:])
        if queue not in range(least, capacity + 1):
            raise BadNumber(
                "the queue before the event", queue, f"from {least} to {capacity}"
            )
        fits = _are_counts(active, len(most)) and all(
            one <= there for one, there in zip(active, most, strict=True)
        )
        if not fits:
            raise BadNumber(
                "the active fetchers before the event",
                active,
                f"at most {most} and at least 0",
            )


def _are_counts(
    found: object,
    classes: int,
) -> bool:
    """So many whole numbers, at least 0."""
    counts = found if isinstance(found, tuple | list) else ()
    return len(counts) == classes and all(
        isinstance(one, Integral) and int(one) >= 0 for one in counts
    )


@dataclass(frozen=True)
class ClassQueue:
    """The queue of `FetcherQueue`, filled by fetchers of any number of classes; their order does
    not matter.
    """

    fetch_rates: tuple[float, ...]  # λ1 … λm
    process_rate: float  # μ
    capacity: int  # K
    starvation_weight: float  # γ

    def __post_init__(self) -> None:
        if not (isinstance(self.fetch_rates, tuple | list) and self.fetch_rates):
            raise BadNumber("the fetch rates", self.fetch_rates, "one or more")
        for number, rate in enumerate(self.fetch_rates, start=1):
            check_rate(
                f"the fetch rate λ{number}",
                rate,
                "pages a unit of time that one fetcher brings",
            )
        self._one_class(self.fetch_rates[0])

    def _one_class(
        self,
        rate: float,
    ) -> FetcherQueue:
        return FetcherQueue(
            rate, self.process_rate, self.capacity, self.starvation_weight
        )

    def solve(
        self,
        fetchers: Counts,
    ) -> ClassPlan:
        """The best plan with at most so many fetchers of each class, some of which may be 0,
        exactly: policy iteration from the static numbers whose load is nearest to the best
        (Lemma 1).
        """
        self._check_fetchers(fetchers)
        states = _States.all(self.capacity, fetchers)
        process = states.process(self)
        start = states.level_choice(self.nearest_level(fetchers))
        return states.plan(process, policy_iteration(process, start))

    def solve_as_one(
        self,
        fetchers: Counts,
    ) -> ClassPlan:
        """What the plan leads to that takes all fetchers for equally fast, their mean rate, and
        wakes them in the order of their classes: the paper's, where its assumption is wrong.
        """
        self._check_fetchers(fetchers)
        rate = float(np.average(self.fetch_rates, weights=fetchers))
        plan = self._one_class(rate).solve(sum(fetchers))
        states = _States.all(self.capacity, fetchers)
        process = states.process(self)
        return states.plan(process, evaluate(process, states.choice_of(plan)))

    def _check_fetchers(
        self,
        fetchers: Counts,
    ) -> None:
        if not _are_counts(fetchers, len(self.fetch_rates)):
            raise BadNumber(
                "the numbers of fetchers",
                fetchers,
                f"{len(self.fetch_rates)} whole numbers, at least 0",
            )
        check_count(
            "the number of all fetchers", sum(fetchers), "nobody else brings pages"
        )

    def nearest_level(
        self,
        fetchers: Counts,
    ) -> Counts:
        """The numbers, not all 0, whose load is nearest to the best one; Poisson streams add up to
        one.
        """
        counts = np.indices(tuple(most + 1 for most in fetchers))
        wanted = self._one_class(self.fetch_rates[0]).best_load * self.process_rate
        miss = np.abs(np.tensordot(self.fetch_rates, counts, axes=1) - wanted)
        miss.flat[0] = np.inf
        best = np.unravel_index(int(miss.argmin()), miss.shape)
        return tuple(int(one) for one in best)


@dataclass(frozen=True)
class _States:
    """All (q, r1 … rm) but (0, 0 … 0), numbered in their order.

    Events: a departure, an arrival of each class. Choices: at a departure nobody or one of a class
    is woken; at an arrival it rests (0) or is woken again (1).
    """

    queue: Ints
    active: Ints  # [class, state]
    shape: tuple[int, ...]

    @classmethod
    def all(
        cls,
        capacity: int,
        fetchers: Counts,
    ) -> _States:
        shape = (capacity + 1, *(most + 1 for most in fetchers))
        grid = np.indices(shape).reshape(len(shape), -1)[:, 1:]
        return cls(grid[0], grid[1:], shape)

    def number(
        self,
        queue: Ints,
        kind: int | None = None,
        more: int = 0,
    ) -> Ints:
        """With so many more of a class; −1 where there is no such state, which (0, 0 … 0) gets
        too.
        """
        active = self.active.copy()
        if kind is not None:
            active[kind] += more
        most = np.array(self.shape[1:])[:, None]
        inside = ((active >= 0) & (active < most)).all(axis=0)
        places = (queue, *np.where(inside, active, 0))
        return np.where(inside, np.ravel_multi_index(places, self.shape) - 1, -1)

    def process(
        self,
        world: ClassQueue,
    ) -> ChoiceProcess:
        arrivals = np.array(world.fetch_rates)[:, None] * self.active
        departures: Floats = np.where(self.queue > 0, world.process_rate, 0.0)
        full = self.queue == self.shape[0] - 1
        return ChoiceProcess(
            cost=world.starvation_weight * (self.queue == 0)
            + arrivals.sum(axis=0) * full,
            rate=np.stack((departures, *arrivals)),
            target=self._targets(),
            order=short_order((self.queue, *self.active)),
        )

    def _targets(self) -> Ints:
        classes = range(len(self.active))
        less = np.maximum(self.queue - 1, 0)
        more = np.minimum(self.queue + 1, self.shape[0] - 1)
        wake = [self.number(less), *(self.number(less, kind, 1) for kind in classes)]
        stay = self.number(more)
        never = [np.full_like(stay, -1)] * (len(classes) - 1)
        rest = [[self.number(more, kind, -1), stay, *never] for kind in classes]
        return np.array([wake, *rest])

    def level_choice(
        self,
        level: Counts,
    ) -> Ints:
        """Keep `level` at work: the static policy as a dynamic one."""
        levels = np.array(level)[:, None]
        lacking = self.active < levels
        wake = np.where(lacking.any(axis=0), 1 + lacking.argmax(axis=0), 0)
        return np.vstack((wake, self.active <= levels)).astype(np.int64)

    def choice_of(
        self,
        plan: Plan,
    ) -> Ints:
        """The plan of one class, which looks at the sum; the first class with a fetcher at rest is
        woken.
        """
        total = self.active.sum(axis=0)
        resting = self.active < np.array(self.shape[1:])[:, None] - 1
        first = 1 + resting.argmax(axis=0)
        wakes = plan.wakes[DEPARTURE, self.queue, total]
        again = plan.wakes[ARRIVAL, self.queue, total].astype(np.int64)
        return np.vstack((np.where(wakes, first, 0), *[again] * len(self.active)))

    def plan(
        self,
        process: ChoiceProcess,
        found: Controlled,
    ) -> ClassPlan:
        full = self.queue == self.shape[0] - 1
        possible = np.stack((self.queue, *self.active)) > 0
        tables = np.zeros((len(possible), *self.shape), dtype=np.int64)
        tables.reshape(len(possible), -1)[:, 1:] = np.where(possible, found.choice, 0)
        return ClassPlan(
            departures=tables[DEPARTURE] - 1,
            again=tables[1:] == 1,
            cost=found.cost,
            starvation=float(found.share[self.queue == 0].sum()),
            loss_rate=float(found.share[full] @ process.rate[1:, full].sum(axis=0)),
            mean_fetchers=tuple((self.active @ found.share).tolist()),
            evaluations=found.evaluations,
        )
