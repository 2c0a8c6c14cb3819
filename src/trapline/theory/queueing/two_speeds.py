"""Fetchers of two speeds, woken and put to sleep one by one: what `talim` asks for last (sections 5
and 6: "a realistic model may require that robots not all be considered identical"), solved as its
section 3 is, exactly.

The state (q, r1, r2) after a decision: q pages in the queue, r1 and r2 fetchers at work, which
bring pages at rates λ1 and λ2 each. One that brings a page rests, unless it is woken again at once;
at a departure nobody, one of the first or one of the second speed is woken. Eq. 24 of the paper
becomes, with e1 = (1, 0) and e2 = (0, 1),

    θ = γ·1(q=0) + (λ1·r1 + λ2·r2)·1(q=K) + μ·1(q>0)·[min over r' ∈ {r, r+e1, r+e2} of h(q−1, r') −
    h(q, r)]
        + Σ_i λi·ri·[min over r' ∈ {r−ei, r} of h(min(q+1, K), r') − h(q, r)].

(0, 0, 0) is excluded, so a departure at (1, 0, 0) must wake somebody. There are (K+1)·(N1+1)·(N2+1)
− 1 states: some ten thousand take seconds.

>>> queue = TwoSpeedQueue(
...     fetch_rates=(0.05, 0.2), process_rate=1.0, capacity=5, starvation_weight=1.4
... )
>>> plan = queue.solve(fetchers=(8, 4))
>>> round(plan.cost, 5), [round(mean, 1) for mean in plan.mean_fetchers]
(0.25081, [6.7, 2.9])
>>> plan.wake_at_departure(queue=1, active=(0, 0)), plan.wake_at_departure(queue=5, active=(8, 3))
(1, None)
>>> plan.wake_again(queue=5, active=(8, 3), speed=1)
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
    policy_iteration,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import DEPARTURE

Pair = tuple[int, int]


@dataclass(frozen=True)
class TwoSpeedPlan:
    """Whom to wake, and what that leads to in the long run.

    Tables and questions count what is there just *before* the event, as the paper does: at an
    arrival the fetcher that came home is still among the active.
    """

    departures: Ints  # [queue, active, active] the speed to wake, 0 or 1; −1 = nobody
    # [speed, queue, active, active] whether one that brings a page is woken again
    again: Bools
    cost: float  # γ·starvation + loss_rate
    starvation: float  # share of the time without a page to process
    loss_rate: float  # pages a unit of time that find the queue full
    mean_fetchers: tuple[float, float]
    evaluations: int  # of policies, until this one could not be improved

    def wake_at_departure(self, queue: int, active: Pair) -> int | None:
        """The speed, 0 or 1, of which to wake one when a page has been processed; None to wake
        nobody.
        """
        self._check(queue, active, least=1)
        speed = int(self.departures[queue, *active])
        return None if speed < 0 else speed

    def wake_again(self, queue: int, active: Pair, speed: int) -> bool:
        """Whether a fetcher of this speed, 0 or 1, that brings a page is woken again at once."""
        self._check(queue, active, least=0)
        if speed not in (0, 1) or active[speed] < 1:
            raise BadNumber(
                "the speed of a fetcher that brings a page",
                speed,
                f"one at work, of 0 and 1: {active}",
            )
        return bool(self.again[speed, queue, *active])

    def _check(self, queue: int, active: Pair, least: int) -> None:
        capacity, first, second = (places - 1 for places in self.departures.shape)
        if queue not in range(least, capacity + 1):
            raise BadNumber(
                "the queue before the event", queue, f"from {least} to {capacity}"
            )
        if not (_is_pair(active) and active[0] <= first and active[1] <= second):
            raise BadNumber(
                "the active fetchers before the event",
                active,
                f"at most {(first, second)} and at least 0",
            )


def _is_pair(found: object) -> bool:
    """Two whole numbers, at least 0."""
    pair = found if isinstance(found, tuple | list) else ()
    return len(pair) == 2 and all(
        isinstance(one, Integral) and int(one) >= 0 for one in pair
    )


@dataclass(frozen=True)
class TwoSpeedQueue:
    """The queue of `FetcherQueue`, filled by fetchers of two speeds; the order of the two does not
    matter.
    """

    fetch_rates: tuple[float, float]  # λ1, λ2
    process_rate: float  # μ
    capacity: int  # K
    starvation_weight: float  # γ

    def __post_init__(self) -> None:
        if not (
            isinstance(self.fetch_rates, tuple | list) and len(self.fetch_rates) == 2
        ):
            raise BadNumber("the number of fetch rates", self.fetch_rates, "2")
        for name, rate in zip(("λ1", "λ2"), self.fetch_rates, strict=True):
            check_rate(
                f"the fetch rate {name}",
                rate,
                "pages a unit of time that one fetcher brings",
            )
        self._one_speed()

    def _one_speed(self) -> FetcherQueue:
        return FetcherQueue(
            self.fetch_rates[0],
            self.process_rate,
            self.capacity,
            self.starvation_weight,
        )

    def solve(self, fetchers: Pair) -> TwoSpeedPlan:
        """The best plan with at most so many fetchers of each speed, one of the two numbers may be
        0, exactly: policy iteration from the static numbers whose load is nearest to the best
        (Lemma 1).
        """
        if not _is_pair(fetchers):
            raise BadNumber(
                "the numbers of fetchers", fetchers, "two whole numbers, at least 0"
            )
        check_count(
            "the number of fetchers N1 + N2",
            fetchers[0] + fetchers[1],
            "nobody else brings pages",
        )
        states = _States.all(self.capacity, fetchers)
        process = states.process(self)
        found = policy_iteration(
            process, states.level_choice(self.nearest_level(fetchers))
        )
        return states.plan(process, found)

    def nearest_level(self, fetchers: Pair) -> Pair:
        """The numbers, not both 0, whose load is nearest to the best one; Poisson streams add up to
        one.
        """
        first, second = np.meshgrid(
            np.arange(fetchers[0] + 1), np.arange(fetchers[1] + 1), indexing="ij"
        )
        wanted = self._one_speed().best_load * self.process_rate
        miss = np.abs(
            self.fetch_rates[0] * first + self.fetch_rates[1] * second - wanted
        )
        miss[0, 0] = np.inf
        best = np.unravel_index(int(miss.argmin()), miss.shape)
        return int(best[0]), int(best[1])


@dataclass(frozen=True)
class _States:
    """All (q, r1, r2) but (0, 0, 0), numbered in their order.

    Events: a departure, an arrival of either speed. Choices: at a departure nobody, speed 0 or
    speed 1 is woken; at an arrival it rests (0) or is woken again (1).
    """

    queue: Ints
    active: Ints  # [speed, state]
    shape: tuple[int, int, int]

    @classmethod
    def all(cls, capacity: int, fetchers: Pair) -> _States:
        shape = (capacity + 1, fetchers[0] + 1, fetchers[1] + 1)
        grid = np.indices(shape).reshape(3, -1)[:, 1:]
        return cls(grid[0], grid[1:], shape)

    def number(self, queue: Ints, first: Ints, second: Ints) -> Ints:
        """−1 where there is no such state, which (0, 0, 0) gets too."""
        _, firsts, seconds = self.shape
        inside = (first >= 0) & (first < firsts) & (second >= 0) & (second < seconds)
        return np.where(inside, (queue * firsts + first) * seconds + second - 1, -1)

    def process(self, world: TwoSpeedQueue) -> ChoiceProcess:
        first, second = self.active
        capacity = self.shape[0] - 1
        less = np.maximum(self.queue - 1, 0)
        more = np.minimum(self.queue + 1, capacity)
        stay = self.number(more, first, second)
        never = np.full_like(stay, -1)
        arrivals = np.array(world.fetch_rates)[:, None] * self.active
        departures: Floats = np.where(self.queue > 0, world.process_rate, 0.0)
        wake = [
            self.number(less, first, second),
            self.number(less, first + 1, second),
            self.number(less, first, second + 1),
        ]
        return ChoiceProcess(
            cost=world.starvation_weight * (self.queue == 0)
            + arrivals.sum(axis=0) * (self.queue == capacity),
            rate=np.stack((departures, *arrivals)),
            target=np.array(
                [
                    wake,
                    [self.number(more, first - 1, second), stay, never],
                    [self.number(more, first, second - 1), stay, never],
                ]
            ),
            order=short_order((self.queue, first, second)),
        )

    def level_choice(self, level: Pair) -> Ints:
        """Keep `level` at work: the static policy as a dynamic one."""
        first, second = self.active
        wake = np.where(first < level[0], 1, np.where(second < level[1], 2, 0))
        return np.stack((wake, first <= level[0], second <= level[1])).astype(np.int64)

    def plan(self, process: ChoiceProcess, found: Controlled) -> TwoSpeedPlan:
        full = self.queue == self.shape[0] - 1
        means = self.active @ found.share
        possible = np.stack((self.queue, *self.active)) > 0
        tables = np.zeros((3, *self.shape), dtype=np.int64)
        tables.reshape(3, -1)[:, 1:] = np.where(possible, found.choice, 0)
        return TwoSpeedPlan(
            departures=tables[DEPARTURE] - 1,
            again=tables[1:] == 1,
            cost=found.cost,
            starvation=float(found.share[self.queue == 0].sum()),
            loss_rate=float(found.share[full] @ process.rate[1:, full].sum(axis=0)),
            mean_fetchers=(float(means[0]), float(means[1])),
            evaluations=found.evaluations,
        )
