"""average-reward: the arithmetic of single lessons by hand, and what it has learnt in the end."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.records import QueueTally
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE


def learner(queue: int, awake: int, **options: float) -> AverageReward:
    """That has seen 4 departures in 8 busy seconds, and holds c̄ = .3; each situation has a value
    of its own.
    """
    policy = AverageReward(
        most=4,
        capacity=3,
        weight=2.0,
        mean_step=0.5,
        explore=0.0,
        **options,  # type: ignore[arg-type]
    )
    policy.mind.values[:] = np.arange(20).reshape(4, 5) / 10
    policy.mind.progress[0] = (0.3, queue, awake, 4.0, 8.0)
    return policy


def test_a_departure_from_a_busy_processor() -> None:
    """rate = 5/11; d = 0 − .3·3·rate + min(V(1,1), V(1,2)) − V(2,1), α = 1 at the first visit."""
    policy = learner(queue=2, awake=1)
    policy.learn(QueueTally(3.0, 0, 1, 3.0, 3.0, 0, queue=1, awake=1))
    error = -0.3 * 3.0 * 5 / 11 + 0.6 - 1.1
    assert policy.mind.values[2, 1] == pytest.approx(1.1 + error)
    assert policy.mind.progress["mean"][0] == pytest.approx(0.3 + 0.5 * error)
    assert list(policy.mind.progress[0].tolist()[1:]) == [
        1.0,
        1.0,
        5.0,
        11.0,
    ]
    assert policy.mind.visits[2, 1] == policy.mind.visits.sum() == 1.0
    others = np.arange(20).reshape(4, 5) / 10
    others[2, 1] = policy.mind.values[2, 1]
    assert np.array_equal(policy.mind.values, others)


def test_an_arrival_that_ends_starvation() -> None:
    """rate = 4/8; c = 2·4·rate; the second visit to a situation counts 2^−.6."""
    policy = learner(queue=0, awake=2)
    policy.mind.visits[0, 2] = 1.0
    policy.learn(QueueTally(4.0, 1, 0, 8.0, 0.0, 0, queue=1, awake=2))
    error = 2.0 * 4.0 * 0.5 - 0.3 * 4.0 * 0.5 + 0.6 - 0.2
    assert policy.mind.values[0, 2] == pytest.approx(0.2 + 2**-0.6 * error)
    assert policy.mind.progress["mean"][0] == pytest.approx(0.3 + 0.5 * 2**-0.6 * error)
    assert list(policy.mind.progress[0].tolist()[1:]) == [
        1.0,
        2.0,
        4.0,
        8.0,
    ]


def test_an_arrival_that_finds_no_place_costs_one() -> None:
    policy = learner(queue=3, awake=4, step=0.25)
    policy.mind.visits[3, 4] = 10_000.0
    policy.learn(QueueTally(2.0, 1, 0, 8.0, 2.0, 1, queue=3, awake=3))
    error = 1.0 - 0.3 * 2.0 * 4 / 10 + 1.8 - 1.9
    # the step fades no further than to the least
    assert policy.mind.values[3, 4] == pytest.approx(1.9 + 0.25 * error)


def test_decisions_are_for_the_cheaper_situation() -> None:
    policy = learner(queue=2, awake=1)
    policy.mind.values[:] = 0.0
    policy.mind.values[1, 2] = -0.5
    policy.mind.values[3, 2] = 0.5
    policy.learn(QueueTally(1.0, 0, 1, 1.0, 1.0, 0, queue=2, awake=2))
    wakes = policy.wakes()
    assert not wakes[DEPARTURE, 2, 2] and not wakes[ARRIVAL, 2, 2]
    policy.mind.values[1, 3] = -0.9
    policy.mind.values[3, 2] = -0.9
    policy.learn(QueueTally(1.0, 1, 0, 1.0, 1.0, 0, queue=2, awake=2))
    assert wakes[DEPARTURE, 2, 2] and wakes[ARRIVAL, 2, 2]
    assert np.array_equal(policy.learnt_wakes()[:, 2, 2], wakes[:, 2, 2])


def test_what_is_new_is_tried_and_what_is_familiar_less_and_less() -> None:
    def tries(visits: float) -> int:
        policy = AverageReward(4, 3, explore=0.3, seed=2)
        tried = 0
        for _ in range(2000):
            policy.mind.values[:] = np.arange(5) / 10  # the fewer the better
            policy.mind.visits[:] = visits
            policy.learn(QueueTally(1.0, 0, 1, 1.0, 1.0, 0, queue=2, awake=2))
            tried += int(policy.wakes()[DEPARTURE, 2, 2]) + int(
                policy.wakes()[ARRIVAL, 2, 2]
            )
        return tried

    assert tries(0.0) / 4000 == pytest.approx(0.3, abs=0.03)
    assert tries(800.0) / 4000 == pytest.approx(0.1, abs=0.02)  # ε/√(1 + 800/100)


def test_other_seeds_try_other_things() -> None:
    def tables(seed: int) -> list[bytes]:
        policy = AverageReward(4, 3, seed=seed)
        seen = []
        for _ in range(50):
            policy.learn(QueueTally(1.0, 0, 1, 1.0, 1.0, 0, queue=2, awake=2))
            seen.append(policy.wakes().tobytes())
        return seen

    assert tables(1) == tables(1)
    assert tables(1) != tables(2)


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_small_queue_is_learnt_to_within_a_tenth(seed: int) -> None:
    queue = FetcherQueue(
        fetch_rate=0.4, process_rate=1.0, capacity=3, starvation_weight=1.2
    )
    best = queue.solve(4).cost
    policy = AverageReward(most=4, capacity=3, weight=1.2, seed=seed)
    at_first = queue.play(policy.wakes()).cost
    world = QueueWorld(most=4, capacity=3, fetch_rate=0.4, process_rate=1.0, seed=seed)
    world.run(policy, 300_000)
    assert at_first > 1.9 * best
    assert queue.play(policy.learnt_wakes(), world.queue, world.awake).cost < 1.1 * best
    assert policy.mind.progress["mean"][0] == pytest.approx(best, rel=0.1)
