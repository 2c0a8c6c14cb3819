"""adaptive: the plan of the measured ratio, solved anew only when the ratio has left it, and soon
after a jump.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from trapline.core.records import QueueTally
from trapline.laboratory.worlds.queue import Jump, QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive, PlanBook
from trapline.policies.fetchers.switching import Switching
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import Plan, level_wakes

MOST = 16
CAPACITY = 5
WEIGHT = 1.4


def measured(ratio: float, count: int = 1000, scale: float = 1.0) -> QueueTally:
    """So many brought and processed; one fetcher is `ratio` times as fast as the processor, which
    does `scale` a s.
    """
    return QueueTally(
        count / scale, count, count, count / (ratio * scale), count / scale, 0
    )


class Solved(list[float]):
    """The ratios of all plans that were solved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        solve = FetcherQueue.solve

        def noting(queue: FetcherQueue, *options: Any) -> Plan:
            self.append(queue.fetch_rate / queue.process_rate)
            return solve(queue, *options)

        monkeypatch.setattr(FetcherQueue, "solve", noting)


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> Solved:
    return Solved(monkeypatch)


@pytest.mark.parametrize("ratio", [0.02, 0.1, 0.7, 3.0])
@pytest.mark.parametrize("scale", [1.0, 250.0])
def test_the_plan_is_that_of_the_ratio_on_the_grid(ratio: float, scale: float) -> None:
    policy = Adaptive(MOST, CAPACITY, WEIGHT)
    policy.learn(measured(ratio, scale=scale))
    assert abs(math.log(policy.planned_ratio / ratio)) <= 0.005 + 1e-9
    plan = FetcherQueue(policy.planned_ratio, 1.0, CAPACITY, WEIGHT).solve(MOST)
    assert np.array_equal(policy.wakes(), plan.wakes)


def test_told_or_measured_is_the_same_but_for_the_grid() -> None:
    policy = Adaptive(MOST, CAPACITY, WEIGHT)
    policy.learn(measured(0.1, scale=30.0))
    told = Switching(MOST, CAPACITY, fetch_rate=3.0, process_rate=30.0, weight=WEIGHT)
    queue = FetcherQueue(3.0, 30.0, CAPACITY, WEIGHT * 30.0)
    assert queue.play(policy.wakes()).cost == pytest.approx(told.plan.cost, rel=0.006)


@pytest.mark.parametrize(("arrivals", "departures"), [(15, 100), (100, 15)])
def test_nothing_is_planned_before_enough_is_known(
    arrivals: int, departures: int, solved: Solved
) -> None:
    policy = Adaptive(MOST, CAPACITY, WEIGHT)
    policy.learn(QueueTally(100.0, arrivals, departures, 200.0, 90.0, 0))
    assert math.isnan(policy.planned_ratio) and not solved
    assert policy.start == 8
    assert np.array_equal(policy.wakes(), level_wakes(CAPACITY, MOST, 8))
    policy.learn(QueueTally(1.0, 1, 1, 2.0, 0.9, 0))
    assert len(solved) == 1 and not math.isnan(policy.planned_ratio)


@pytest.mark.parametrize(
    ("off", "plans"), [(1.0095, 1), (1 / 1.0095, 1), (1.0105, 2), (1 / 1.0105, 2)]
)
def test_a_plan_is_solved_anew_when_the_ratio_has_left_it_by_1_percent(
    off: float, plans: int, solved: Solved
) -> None:
    # on the grid
    policy = Adaptive(MOST, CAPACITY, WEIGHT)
    ratio = math.exp(-2.3)
    policy.learn(measured(ratio))
    assert policy.planned_ratio == pytest.approx(ratio, rel=1e-12)
    policy.learn(measured(ratio))
    assert len(solved) == 1
    # `off` over all
    policy.learn(
        QueueTally(2000.0, 2000, 2000, 4000 / (ratio * off) - 2000 / ratio, 2000.0, 0)
    )
    assert policy.fetching.changes == 0
    assert len(solved) == plans
    assert policy.planned_ratio == pytest.approx(
        ratio if plans == 1 else ratio * off, rel=0.006
    )


def test_no_plan_is_solved_twice(solved: Solved) -> None:
    plans = PlanBook(MOST, CAPACITY, WEIGHT)
    first = plans.plan(-230)
    second = plans.plan(-161)
    assert plans.plan(-230) is first and plans.plan(-161) is second
    assert solved == pytest.approx([math.exp(-2.3), math.exp(-1.61)])
    for _ in range(2):  # the book may be shared
        policy = Adaptive(MOST, CAPACITY, WEIGHT, plans)
        policy.learn(measured(math.exp(-2.3)))
        assert policy.wakes() is first.wakes
    assert len(solved) == 2


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize(
    "after", [(0.2, 1.0), (0.1, 2.0)], ids=["fetchers", "processor"]
)
def test_a_doubled_rate_is_followed_within_a_thousand_events(
    after: tuple[float, float], seed: int
) -> None:
    jump = Jump(10_000.0, *after)
    world = QueueWorld(
        most=MOST,
        capacity=CAPACITY,
        fetch_rate=0.1,
        process_rate=1.0,
        jumps=(jump,),
        seed=seed,
    )
    policy = Adaptive(MOST, CAPACITY, WEIGHT)
    while world.now_s < jump.at_s:
        world.run(policy, policy.patience)
    assert policy.planned_ratio == pytest.approx(0.1, rel=0.05)
    world.run(policy, 1000)
    ratio = jump.fetch_rate / jump.process_rate
    assert policy.planned_ratio == pytest.approx(ratio, rel=0.16)
    queue = FetcherQueue(ratio, 1.0, CAPACITY, WEIGHT)
    assert queue.play(policy.wakes()).cost < 1.1 * queue.solve(MOST).cost


def test_a_plan_is_the_same_from_a_near_one() -> None:
    plans = PlanBook(MOST, CAPACITY, WEIGHT)
    for step in (-230, -231, -225, -180, 40):
        queue = FetcherQueue(math.exp(0.01 * step), 1.0, CAPACITY, WEIGHT)
        known = plans.plan(step)
        assert np.array_equal(known.wakes, queue.solve(MOST).wakes)
    assert (
        plans.plan(-232).evaluations
        < FetcherQueue(math.exp(-2.32), 1.0, CAPACITY, WEIGHT).solve(MOST).evaluations
    )
