"""How other crawlers decide how many fetchers work: their rules by hand, from their sources."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.records import QueueTally
from trapline.policies.fetchers.autoscale import Autoscale
from trapline.policies.fetchers.autothrottle import Autothrottle
from trapline.policies.fetchers.bandwidth import Bandwidth
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.fetchers.level_policy import LevelPolicy
from trapline.policies.fetchers.static import Static
from trapline.theory.queueing.fetcher_queue import FetcherQueue


def answers(latency_s: float, count: int = 16) -> QueueTally:
    return QueueTally(1.0, count, count, latency_s * count, 0.5, 0)


def second(busy_s: float) -> QueueTally:
    return QueueTally(1.0, 8, 8, 1.0, busy_s, 0)


def brought(count: int, elapsed_s: float, awake: int) -> QueueTally:
    return QueueTally(elapsed_s, count, count, elapsed_s * awake, 1.0, 0, awake=awake)


# autothrottle: delay ← min(max(target, (delay + target)/2), 60 s), target = latency/concurrency


def test_autothrottle_goes_half_of_the_way_to_a_shorter_delay() -> None:
    """From Scrapy's first delay of 5 s to a target of 1 s: 3, 2, 1.5, … s; 8 s of latency over that
    are at work.
    """
    policy = Autothrottle(most=64, capacity=5, concurrency=8)
    levels = []
    for _ in range(7):
        policy.learn(QueueTally(1.0, 1, 1, 8.0, 0.5, 0))
        levels.append(policy.level)
    assert levels == [
        round(8 / delay_s) for delay_s in (3, 2, 1.5, 1.25, 1.125, 1.0625, 1.03125)
    ]
    assert levels == [3, 4, 5, 6, 7, 8, 8]


def test_autothrottle_goes_to_a_longer_delay_at_once_and_never_beyond_a_minute() -> (
    None
):
    policy = Autothrottle(most=64, capacity=5, concurrency=8)
    for _ in range(40):
        policy.learn(answers(8.0))
    policy.learn(answers(64.0))
    # target 8 s; half of the way there, 4.5 s, would keep 14 at work
    assert policy.level == 8
    policy.learn(answers(1200.0))
    assert policy.level == 1200 / 60  # target 150 s


def test_autothrottle_begins_with_one_and_waits_for_answers() -> None:
    policy = Autothrottle(most=64, capacity=5)
    policy.learn(QueueTally(1e5, 0, 16, 64.0, 0.5, 0))
    assert (policy.start, policy.level) == (1, 1)


def test_autothrottle_sees_nothing_of_the_processor() -> None:
    idle = Autothrottle(64, 5, 8.0)
    stuck = Autothrottle(64, 5, 8.0)
    for _ in range(9):
        idle.learn(QueueTally(1.0, 16, 16, 128.0, 0.0, 0, queue=0))
        stuck.learn(QueueTally(1.0, 16, 0, 128.0, 1.0, 16, queue=5))
    assert idle.level == stuck.level == 8


# autoscale: every 10 s ±5 %; overloaded = over 95 % busy in more than 40 % of the last 30 s; from
# 10, within 1 and 100


def levels_of(policy: LevelPolicy, shares: list[float]) -> list[int]:
    levels = []
    for busy_s in shares:
        policy.learn(second(busy_s))
        levels.append(policy.level)
    return levels


def test_autoscale_moves_every_ten_seconds() -> None:
    levels = levels_of(Autoscale(most=100, capacity=5), [0.5] * 40)
    assert levels == [10] * 9 + [11] * 10 + [12] * 10 + [13] * 10 + [14]


@pytest.mark.parametrize(("overloaded_s", "level"), [(12, 13), (13, 11)])
def test_autoscale_is_overloaded_above_40_percent_of_30_seconds(
    overloaded_s: int, level: int
) -> None:
    levels = levels_of(
        Autoscale(most=100, capacity=5),
        [0.5] * (30 - overloaded_s) + [0.96] * overloaded_s,
    )
    assert levels[28:] == [12, level]


def test_autoscale_takes_a_cpu_at_95_percent_for_healthy() -> None:
    assert levels_of(Autoscale(most=100, capacity=5), [0.95] * 10)[-1] == 11
    assert levels_of(Autoscale(most=100, capacity=5), [0.951] * 10)[-1] == 9


def test_autoscale_forgets_after_30_seconds() -> None:
    levels = levels_of(Autoscale(most=100, capacity=5), [1.0] * 30 + [0.0] * 30)
    # after ten seconds of leisure still two thirds, after twenty a third
    assert levels[9:60:10] == [9, 8, 7, 6, 7, 8]


def test_autoscale_steps_are_5_percent_within_1_and_100() -> None:
    policy = Autoscale(most=500, capacity=5)
    levels = levels_of(policy, [0.5] * 600)[9::10]
    expected = [10]
    while len(expected) <= 60:
        expected.append(min(expected[-1] + math.ceil(0.05 * expected[-1]), 100))
    assert levels == expected[1:] and levels[-1] == 100
    assert levels_of(policy, [1.0] * 2000)[-1] == 1
    assert Autoscale(most=4, capacity=5).start == 4


def test_autoscale_sends_more_when_the_servers_slow_down() -> None:
    """crawlee-python#1437: the processor has less to do then."""
    policy = Autoscale(most=100, capacity=5)
    for _ in range(30):
        policy.learn(QueueTally(1.0, 1, 1, 10.0, 0.1, 0))
    assert policy.level > policy.start


def test_autoscale_takes_one_long_tally_for_many_seconds() -> None:
    policy = Autoscale(most=100, capacity=5)
    policy.learn(QueueTally(30.0, 8, 8, 1.0, 30.0, 0))
    assert policy.level == 9
    # 20 of the last 30 seconds were overloaded
    assert levels_of(policy, [0.0] * 10)[-1] == 8


# bandwidth: every 30 s so many as would fill the target


def test_bandwidth_looks_every_30_seconds() -> None:
    policy = Bandwidth(most=100, capacity=5, target=40.0)
    levels = []
    for _ in range(6):
        policy.learn(brought(200, 10.0, policy.level))
        levels.append(policy.level)
    # ten bring 20 a second; twenty bring no more, so twenty more
    assert levels == [10, 10, 20, 20, 20, 40]


def test_bandwidth_stops_what_is_too_much_and_keeps_within_the_limits() -> None:
    policy = Bandwidth(most=100, capacity=5, target=40.0)
    policy.learn(brought(2400, 30.0, awake=10))
    assert policy.level == 5
    policy.learn(brought(30, 30.0, awake=5))
    assert policy.level == 100  # each brings a fifth: it wants 200
    policy.learn(brought(10**6, 30.0, awake=5))
    assert policy.level == 1


def test_bandwidth_counts_only_what_came_since_it_last_looked() -> None:
    policy = Bandwidth(most=100, capacity=5, target=40.0)
    policy.learn(brought(1200, 30.0, awake=10))
    assert policy.level == 10
    policy.learn(brought(600, 30.0, awake=10))
    assert policy.level == 20


def test_bandwidth_stays_where_it_is_when_nothing_came() -> None:
    policy = Bandwidth(most=100, capacity=5, target=40.0)
    policy.learn(brought(0, 90.0, awake=10))
    assert policy.level == 10


# fixed and static: never another number


@pytest.mark.parametrize("count", [10, 25, 100])
def test_fixed_stays_fixed(count: int) -> None:
    policy = Fixed(most=100, capacity=5, count=count)
    before = policy.wakes().copy()
    for tally in (answers(9.0), second(1.0), brought(10**6, 100.0, 7)):
        policy.learn(tally)
    assert policy.level == policy.start == count
    assert np.array_equal(policy.wakes(), before)


def test_static_is_the_best_fixed_number_for_the_rates_that_it_was_told() -> None:
    queue = FetcherQueue(0.05, 2.0, 5, starvation_weight=2.8)
    policy = Static(most=200, capacity=5, fetch_rate=0.05, process_rate=2.0, weight=1.4)
    assert policy.level == queue.best_static().fetchers
    assert queue.play(policy.wakes()).cost == pytest.approx(
        min(queue.static_cost(n) for n in range(1, 200))
    )
    assert Static(most=3, capacity=5, fetch_rate=0.05, process_rate=2.0).level == 3


def test_autothrottle_halves_once_for_each_answer() -> None:
    one_by_one, at_once = (
        Autothrottle(most=64, capacity=5, concurrency=8) for _ in range(2)
    )
    for _ in range(5):
        one_by_one.learn(QueueTally(1.0, 1, 0, 4.0, 0.5, 0))
    at_once.learn(QueueTally(5.0, 5, 0, 20.0, 2.5, 0))
    assert one_by_one.level == at_once.level
