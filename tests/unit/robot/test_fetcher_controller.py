"""The fetcher controller: by its table, and always as the laboratory's world decides it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import ClockWentBack
from trapline.core.records import QueueTally
from trapline.laboratory.worlds.queue import Jump, QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive
from trapline.policies.fetchers.autoscale import Autoscale
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.policies.fetchers.bandwidth import Bandwidth
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.fetchers.switching import Switching
from trapline.robot.fetcher_controller import FetcherController
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE

MOST = 16
CAPACITY = 5
RATE = 0.1


class OneByOne(FetcherPolicy):
    """A policy that is told of each event, and tells the one within of as many at once as that one
    wants.
    """

    patience = 1

    def __init__(self, within: FetcherPolicy) -> None:
        self.within = within
        self.start = within.start
        self.seen: list[QueueTally] = []
        self._new: list[QueueTally] = []

    def wakes(self) -> NDArray[np.bool_]:
        return self.within.wakes()

    def learn(self, tally: QueueTally) -> None:
        self.seen.append(tally)
        self._new.append(tally)
        if len(self._new) == self.within.patience:
            sums: list[Any] = [
                sum(column) for column in list(zip(*self._new, strict=True))[:6]
            ]
            self.within.learn(
                QueueTally(*sums)._replace(queue=tally.queue, awake=tally.awake)
            )
            self._new.clear()


class Tables(FetcherPolicy):
    """A policy that only has a table; it keeps what it is told."""

    def __init__(
        self, wakes: NDArray[np.bool_], start: int = 2, patience: int = 3
    ) -> None:
        self.start = start
        self.patience = patience
        self.table = wakes
        self.told: list[QueueTally] = []

    def wakes(self) -> NDArray[np.bool_]:
        return self.table

    def learn(self, tally: QueueTally) -> None:
        self.told.append(tally)


def nobody() -> NDArray[np.bool_]:
    return np.zeros((2, 3, 5), dtype=bool)  # K = 2, N = 4


class Live:
    """Events handed to a controller as the live loop does it, with moments between them at which
    nothing happens.
    """

    def __init__(self, policy: FetcherPolicy, capacity: int = CAPACITY) -> None:
        self.controller = FetcherController(policy, capacity)
        self._chance = Random(3)
        self._now_s = 0.0
        self._queue = 0
        self._active = self.controller.target(0.0, 0, 0, "tick")
        self._tick(0.0)  # they have set out

    def happens(self, tally: QueueTally) -> int:
        """One event of the world.

        An answer that is lost there is one too many in the queue, for a moment.
        """
        moments = sorted(
            self._now_s + self._chance.random() * tally.elapsed_s
            for _ in range(self._chance.randint(0, 2))
        )
        for moment_s in moments:
            self._tick(moment_s)
        self._now_s += tally.elapsed_s
        if tally.arrivals:
            self._active -= 1
            queue = self._queue + 1
            assert (queue > CAPACITY) == bool(tally.blocked)
            self._active = self.controller.target(
                self._now_s, queue, self._active, "arrival"
            )
        else:
            self._active = self.controller.target(
                self._now_s, self._queue - 1, self._active, "departure"
            )
        self._queue = tally.queue
        self._tick(self._now_s)
        return self._active

    def _tick(self, now_s: float) -> None:
        assert (
            self.controller.target(now_s, self._queue, self._active, "tick")
            == self._active
        )


def told() -> Switching:
    return Switching(MOST, CAPACITY, fetch_rate=RATE, process_rate=1.0, weight=1.4)


# the same decisions as in the world


@pytest.mark.parametrize(
    "make",
    [
        told,
        lambda: Adaptive(MOST, CAPACITY, weight=1.4),
        lambda: Bandwidth(MOST, CAPACITY, target=0.9),
        lambda: Autoscale(MOST, CAPACITY),
        lambda: Fixed(MOST, CAPACITY, 9),
    ],
    ids=["switching", "adaptive", "bandwidth", "autoscale", "fixed"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_controller_and_world_decide_alike(
    make: Callable[[], FetcherPolicy], seed: int
) -> None:
    jump = Jump(1000.0, 2.5 * RATE, 1.0)
    world = QueueWorld(
        most=MOST,
        capacity=CAPACITY,
        fetch_rate=RATE,
        process_rate=1.0,
        jumps=(jump,),
        seed=seed,
    )
    driver = OneByOne(make())
    world.run(driver, 4000)
    assert world.now_s > jump.at_s
    live = Live(make())
    assert live.controller.awake == driver.start
    for tally in driver.seen:
        assert live.happens(tally) == tally.awake
    assert live.controller.awake == world.awake
    assert (
        sum(tally.blocked for tally in driver.seen)
        == live.controller.figures().blocked
        > 0
    )


def test_the_adaptive_one_has_planned_the_same_on_both_paths() -> None:
    world = QueueWorld(
        most=MOST, capacity=CAPACITY, fetch_rate=RATE, process_rate=1.0, seed=4
    )
    there = Adaptive(MOST, CAPACITY, weight=1.4)
    here = Adaptive(MOST, CAPACITY, weight=1.4)
    driver = OneByOne(there)
    live = Live(here)
    world.run(driver, 3000)
    for tally in driver.seen:
        live.happens(tally)
    assert here.planned_ratio == there.planned_ratio == pytest.approx(RATE, rel=0.1)
    assert here.fetching.rate == pytest.approx(there.fetching.rate, rel=1e-9)
    assert here.processing.rate == pytest.approx(there.processing.rate, rel=1e-9)
    assert live.controller.figures().fetch_rate == pytest.approx(
        here.fetching.rate, rel=0.02
    )


def test_a_world_that_runs_in_lots_is_the_same_world() -> None:
    """OneByOne is a fair witness: the policy within, driven as usual, comes to the same place."""
    worlds = [
        QueueWorld(
            most=MOST, capacity=CAPACITY, fetch_rate=RATE, process_rate=1.0, seed=6
        )
        for _ in range(2)
    ]
    there = Adaptive(MOST, CAPACITY)
    here = Adaptive(MOST, CAPACITY)
    worlds[0].run(there, 64 * 40)
    worlds[1].run(OneByOne(here), 64 * 40)
    assert (worlds[0].now_s, worlds[0].queue, worlds[0].awake) == (
        worlds[1].now_s,
        worlds[1].queue,
        worlds[1].awake,
    )
    assert there.planned_ratio == here.planned_ratio


def test_average_reward_learns_in_the_compiled_world_as_it_does_live() -> None:
    """Without exploration, for the two draw their chances elsewhere."""
    world = QueueWorld(
        most=MOST, capacity=CAPACITY, fetch_rate=RATE, process_rate=1.0, seed=5
    )
    there = AverageReward(MOST, CAPACITY, explore=0.0)
    here = AverageReward(MOST, CAPACITY, explore=0.0)
    live = Live(here)
    queue = 0
    now_s = 0.0
    for _ in range(4000):
        world.run(there, 1)
        left = world.queue < queue
        blocked = not left and queue == CAPACITY
        event = QueueTally(
            world.now_s - now_s,
            int(not left),
            int(left),
            0.0,
            0.0,
            int(blocked),
            world.queue,
        )
        assert live.happens(event) == world.awake
        queue = world.queue
        now_s = world.now_s
    assert here.mind.values == pytest.approx(there.mind.values, rel=1e-6, abs=1e-9)
    assert np.array_equal(here.mind.visits, there.mind.visits)
    assert there.mind.visits.sum() == 4000


# by hand


def test_a_departure_looks_up_the_counts_before_it() -> None:
    for queue in (1, 2):
        for awake in range(4):
            wakes = nobody()
            wakes[DEPARTURE, queue, awake] = True
            controller = FetcherController(Tables(wakes, start=awake), capacity=2)
            assert controller.target(0.0, queue - 1, awake, "departure") == awake + 1


def test_an_arrival_looks_up_the_counts_before_it() -> None:
    for queue in (0, 1, 2):
        for awake in range(1, 5):
            wakes = nobody()
            wakes[ARRIVAL, queue, awake] = True
            controller = FetcherController(Tables(wakes, start=awake), capacity=2)
            assert controller.target(0.0, queue + 1, awake - 1, "arrival") == awake
            resting = FetcherController(Tables(~wakes, start=awake), capacity=2)
            assert resting.target(0.0, queue + 1, awake - 1, "arrival") == awake - 1


def test_ticks_decide_nothing_and_are_no_events() -> None:
    policy = Tables(~nobody(), start=2, patience=1)
    controller = FetcherController(policy, capacity=2)
    for now_s in range(100):
        assert controller.target(float(now_s), now_s % 4, now_s % 3, "tick") == 2
    assert not policy.told


def test_nobody_is_never_all_with_nothing_to_do() -> None:
    controller = FetcherController(Tables(nobody(), start=1), capacity=2)
    assert controller.target(0.0, 1, 0, "arrival") == 0  # something is left to process
    assert controller.target(1.0, 0, 0, "departure") == 1


def test_answers_that_are_held_are_a_full_queue_to_the_table() -> None:
    wakes = nobody()
    wakes[DEPARTURE, 2, 1] = True
    policy = Tables(wakes, start=4, patience=1)
    controller = FetcherController(policy, capacity=2)
    awake = [
        controller.target(float(queue), queue, 4 - queue, "arrival")
        for queue in (1, 2, 3, 4)
    ]
    assert awake == [3, 2, 1, 0]
    assert [tally.blocked for tally in policy.told] == [0, 0, 1, 1]
    assert [tally.queue for tally in policy.told] == [1, 2, 2, 2]
    controller.awake = 1
    assert controller.target(9.0, 3, 0, "departure") == 2
    assert controller.target(10.0, 2, 0, "departure") == 2


def test_an_arrival_while_nobody_was_said_to_be_awake_is_tolerated() -> None:
    controller = FetcherController(Tables(nobody(), start=1), capacity=2)
    assert controller.target(0.0, 1, 0, "arrival") == 0
    assert controller.target(1.0, 2, 0, "arrival") == 0


def test_a_tally_is_handed_on_every_so_many_events_with_the_decision_just_made() -> (
    None
):
    policy = Tables(~nobody(), start=2, patience=3)
    controller = FetcherController(policy, capacity=2)
    controller.target(0.0, 0, 2, "tick")
    controller.target(2.0, 1, 1, "arrival")
    controller.target(2.0, 1, 2, "tick")
    controller.target(3.0, 0, 2, "departure")
    assert not policy.told
    controller.target(3.0, 0, 3, "tick")
    controller.target(5.0, 1, 2, "arrival")
    assert policy.told == [
        QueueTally(5.0, 2, 1, 2 * 2.0 + 1 * 2.0 + 2 * 3.0, 1.0, 0, 1, 3, 1.0, 1.0)
    ]


def test_fetchers_without_a_ticket_do_not_slow_the_measured_rate() -> None:
    """Sixteen may work, two do: the one that learns must take what two bring for what two can."""
    policy = Adaptive(MOST, CAPACITY)
    controller = FetcherController(policy, CAPACITY)
    controller.target(0.0, 0, 2, "tick")
    for number in range(640):
        controller.target(5.0 * number + 4.0, 1, 1, "arrival")
        controller.target(5.0 * number + 4.0, 1, 2, "tick")
        controller.target(5.0 * number + 5.0, 0, 2, "departure")
    assert controller.awake > 2
    assert controller.figures().fetch_rate == pytest.approx(0.1)
    assert controller.figures().process_rate == pytest.approx(1.0)
    assert policy.planned_ratio == pytest.approx(0.1, rel=0.006)


def test_figures_and_time() -> None:
    controller = FetcherController(Fixed(8, CAPACITY, 3), CAPACITY)
    assert (controller.figures().awake, controller.figures().queue_room) == (
        3,
        CAPACITY,
    )
    controller.target(5.0, 2, 1, "tick")
    assert (controller.figures().active, controller.figures().queue) == (1, 2)
    with pytest.raises(ClockWentBack):
        controller.target(4.0, 2, 1, "tick")
