"""The world of the response queue against exact costs, against itself by another path, and in its
books.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.core.records import QueueTally
from trapline.laboratory.worlds.queue import Jump, Law, QueueWorld, Seen
from trapline.policies.fetchers.adaptive import Adaptive
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.fetchers.switching import Switching
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.general_queue import GeneralQueue
from trapline.theory.queueing.indexing_times import IndexingTimes

MOST = 16
CAPACITY = 5
RATE = 0.1
WEIGHT = 1.4
QUEUE = FetcherQueue(RATE, 1.0, CAPACITY, WEIGHT)
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Make = Callable[[], FetcherPolicy]


class Clocked(QueueWorld):
    """With a clock for each fetcher, even where the times have no memory."""

    @property
    def _memoryless(self) -> bool:
        return False


class Witness(Fixed):
    """Keeps `count` awake and all tallies."""

    def __init__(
        self, count: int, patience: int = 1, most: int = MOST, capacity: int = CAPACITY
    ) -> None:
        super().__init__(most, capacity, count)
        self.patience = patience
        self.seen: list[QueueTally] = []

    def learn(self, tally: QueueTally) -> None:
        self.seen.append(tally)

    @property
    def totals(self) -> QueueTally:
        sums: list[Any] = [
            sum(column) for column in list(zip(*self.seen, strict=True))[:6]
        ]
        return QueueTally(*sums)


def world(
    kind: type[QueueWorld] = QueueWorld, seed: int = 1, **options: Any
) -> QueueWorld:
    settings: dict[str, Any] = {
        "most": MOST,
        "capacity": CAPACITY,
        "fetch_rate": RATE,
        "process_rate": 1.0,
    }
    return kind(**{**settings, **options}, seed=seed)


def switching() -> Switching:
    return Switching(MOST, CAPACITY, fetch_rate=RATE, process_rate=1.0, weight=WEIGHT)


def measures(seen: Seen) -> list[float]:
    return [
        WEIGHT * seen.starvation + seen.loss_rate,
        seen.starvation,
        seen.loss_rate,
        seen.mean_fetchers,
    ]


def sampled(
    make: Make,
    kind: type[QueueWorld],
    seeds: int = 12,
    events: int = 40_000,
    **options: Any,
) -> Floats:
    """By seed: cost, starvation, losses, fetchers; the beginning, which is from an empty queue,
    left out.
    """
    rows = []
    for seed in range(1, seeds + 1):
        place = world(kind, seed, **options)
        policy = make()
        place.run(policy, 1000)
        rows.append(measures(place.run(policy, events)))
    return np.array(rows)


def check_agrees(found: Floats, exact: list[float], precision: float = 0.01) -> None:
    """Within 4 standard errors, which are themselves so small that the test can fail."""
    error = found.std(axis=0, ddof=1) / math.sqrt(len(found)) + 1e-12
    assert (error < precision * np.array(exact)).all()
    assert (np.abs(found.mean(axis=0) - exact) < 4 * error + 1e-9).all()


# against exact costs


@pytest.mark.parametrize("kind", [QueueWorld, Clocked])
@pytest.mark.parametrize(
    "make", [lambda: Fixed(MOST, CAPACITY, 9), lambda: Fixed(MOST, CAPACITY), switching]
)
def test_the_costs_are_those_that_theory_has_for_the_table(
    make: Make, kind: type[QueueWorld]
) -> None:
    plan = QUEUE.play(make().wakes())
    exact = [plan.cost, plan.starvation, plan.loss_rate, plan.mean_fetchers]
    check_agrees(sampled(make, kind), exact, precision=0.02)


def test_a_fixed_number_costs_what_the_formula_says() -> None:
    found = sampled(lambda: Fixed(MOST, CAPACITY, 10), QueueWorld)[:, :1]
    check_agrees(found, [QUEUE.static_cost(10)])


def test_time_has_a_unit() -> None:
    """All rates ten times as high: the same shares, ten times the losses."""
    found = sampled(
        lambda: Fixed(MOST, CAPACITY, 10),
        QueueWorld,
        fetch_rate=10 * RATE,
        process_rate=10.0,
    )
    plan = QUEUE.play(Fixed(MOST, CAPACITY, 10).wakes())
    check_agrees(found[:, 1:3], [plan.starvation, 10 * plan.loss_rate], precision=0.02)


@pytest.mark.parametrize("make", [lambda: Fixed(MOST, CAPACITY, 9), switching])
def test_clocks_and_no_clocks_tell_the_same_of_times_without_memory(make: Make) -> None:
    one = sampled(make, QueueWorld)
    other = sampled(make, Clocked)
    error = (
        np.sqrt((one.var(axis=0, ddof=1) + other.var(axis=0, ddof=1)) / len(one))
        + 1e-12
    )
    assert (np.abs(one.mean(axis=0) - other.mean(axis=0)) < 4 * error + 1e-9).all()
    assert (other.std(axis=0) < 3 * one.std(axis=0) + 1e-9).all()
    assert (one.std(axis=0) < 3 * other.std(axis=0) + 1e-9).all()


@pytest.mark.parametrize("fetchers", [7, 10, 14])
def test_processing_times_that_do_not_vary_cost_what_the_general_queue_says(
    fetchers: int,
) -> None:
    exact = GeneralQueue(RATE, IndexingTimes.deterministic(1.0), CAPACITY, WEIGHT)
    found = sampled(
        lambda: Fixed(MOST, CAPACITY, fetchers), QueueWorld, process_law="deterministic"
    )
    check_agrees(
        found[:, :3],
        [
            exact.static_cost(fetchers),
            exact.starvation(fetchers),
            exact.loss_rate(fetchers),
        ],
        0.05,
    )
    # it is not the same queue
    assert abs(exact.static_cost(fetchers) - QUEUE.static_cost(fetchers)) > 0.05


@pytest.mark.parametrize("law", ["exponential", "deterministic", "pareto"])
def test_every_law_has_the_mean_of_its_rate(law: Law) -> None:
    policy = Witness(10, patience=1000)
    world(fetch_law=law, process_law=law).run(policy, 200_000)
    sums = policy.totals
    assert sums.fetching_s / sums.arrivals == pytest.approx(1 / RATE, rel=0.02)
    assert sums.busy_s / sums.departures == pytest.approx(1.0, rel=0.02)


def test_the_pareto_law_has_its_tail() -> None:
    """P(time > t) = (least/t)^2.2; a lone fetcher brings one after the other."""
    policy = Witness(1, most=1)
    world(most=1, fetch_rate=1.0, process_rate=1e6, fetch_law="pareto").run(
        policy, 40_000
    )
    times: list[float] = []
    waited_s = 0.0
    for tally in policy.seen:
        waited_s += tally.elapsed_s
        if tally.arrivals:
            times.append(waited_s)
            waited_s = 0.0
    assert min(times) == pytest.approx(1.2 / 2.2, rel=1e-3)
    for bound in (1.0, 2.0, 5.0):
        chance = (1.2 / 2.2 / bound) ** 2.2
        share = float(np.mean(np.array(times) > bound))
        assert abs(share - chance) < 4 * math.sqrt(chance / len(times))


# by hand


def test_times_that_do_not_vary_by_hand() -> None:
    """One fetcher brings a page every second, each takes 2.5 s, and there are two places."""
    laws: dict[str, Any] = {
        "fetch_law": "deterministic",
        "process_law": "deterministic",
    }
    policy = Witness(1, most=1, capacity=2)
    world(most=1, capacity=2, fetch_rate=1.0, process_rate=0.4, **laws).run(policy, 8)
    assert np.cumsum([tally.elapsed_s for tally in policy.seen]).tolist() == [
        1.0,
        2.0,
        3.0,
        3.5,
        4.0,
        5.0,
        6.0,
        6.0,
    ]
    # at 6 s the departure comes first
    assert [tally.queue for tally in policy.seen] == [1, 2, 2, 1, 2, 2, 1, 2]
    assert [tally.blocked for tally in policy.seen] == [0, 0, 1, 0, 0, 1, 0, 0]
    assert policy.totals.busy_s == 5.0  # but for the first second


@pytest.mark.parametrize("law", ["deterministic", "exponential"])
def test_jumps_take_effect(law: Law) -> None:
    """What is under way at a jump keeps its time; what begins later has the new rate."""
    jumps = (Jump(10.5, 4.0, 1e6), Jump(20.1, 0.5, 1e6))
    policy = Witness(1, most=1)
    place = world(
        most=1,
        fetch_rate=1.0,
        process_rate=1e6,
        fetch_law="deterministic",
        process_law=law,
        jumps=jumps,
    )
    place.run(policy, 140)
    times = np.cumsum([tally.elapsed_s for tally in policy.seen])
    came = [
        time for time, tally in zip(times, policy.seen, strict=True) if tally.arrivals
    ]
    expected = [
        *np.arange(1.0, 11.1),
        *np.arange(11.25, 20.26, 0.25),
        *np.arange(22.25, 50.0, 2.0),
    ]
    assert len(came) > len(expected)
    assert came[: len(expected)] == pytest.approx(expected)
    assert place.now_s == pytest.approx(times[-1])


@pytest.mark.parametrize("kind", [QueueWorld, Clocked])
def test_jumps_of_rates_without_memory_take_effect(kind: type[QueueWorld]) -> None:
    jumps = (Jump(20_000.0, 0.3, 1.0), Jump(40_000.0, 0.3, 5.0))
    place = world(kind, jumps=jumps)
    policy = Witness(10, patience=50)
    now_s = 0.0
    spans: tuple[list[QueueTally], ...] = ([], [], [])
    while place.now_s < 60_000.0:
        place.run(policy, 50)
        if int(now_s // 20_000) == int(place.now_s // 20_000):
            spans[int(now_s // 20_000)].append(policy.seen[-1])
        now_s = place.now_s
    for span, fetch_rate, process_rate in zip(
        spans, (RATE, 0.3, 0.3), (1.0, 1.0, 5.0), strict=True
    ):
        arrivals, departures = (
            sum(column) for column in list(zip(*span, strict=True))[1:3]
        )
        fetching_s, busy_s = (
            sum(column) for column in list(zip(*span, strict=True))[3:5]
        )
        assert abs(arrivals / fetching_s / fetch_rate - 1.0) < 4 / math.sqrt(arrivals)
        assert abs(departures / busy_s / process_rate - 1.0) < 4 / math.sqrt(departures)


# always


LAWS: list[tuple[type[QueueWorld], Law, Law]] = [
    (QueueWorld, "exponential", "exponential"),
    (Clocked, "exponential", "exponential"),
    (QueueWorld, "pareto", "deterministic"),
    (QueueWorld, "deterministic", "pareto"),
    (QueueWorld, "exponential", "pareto"),
]
any_law = pytest.mark.parametrize(("kind", "fetch_law", "process_law"), LAWS)
JUMPS = (Jump(30.0, 0.4, 1.0), Jump(90.0, 0.05, 2.0), Jump(300.0, 0.1, 1.0))


def place_of(found: QueueWorld) -> tuple[float, int, int]:
    return found.now_s, found.queue, found.awake


@any_law
def test_the_same_seed_leads_to_the_same_run(
    kind: type[QueueWorld], fetch_law: Law, process_law: Law
) -> None:
    def run(seed: int) -> list[tuple[float, int, int]]:
        found = world(
            kind, seed, fetch_law=fetch_law, process_law=process_law, jumps=JUMPS
        )
        policy = Adaptive(MOST, CAPACITY)
        places = []
        for _ in range(20):
            found.run(policy, 97)
            places.append(place_of(found))
        return places

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_the_same_seed_leads_to_the_same_lessons() -> None:
    def values(seed: int) -> bytes:
        policy = AverageReward(MOST, CAPACITY)
        world(seed=seed).run(policy, 5000)
        return policy.mind.values.tobytes()

    assert values(1) == values(1)
    assert values(1) != values(2)


@any_law
@pytest.mark.parametrize("patience", [1, 7])
def test_it_does_not_matter_in_how_many_parts_it_runs(
    kind: type[QueueWorld], fetch_law: Law, process_law: Law, patience: int
) -> None:
    options = {"fetch_law": fetch_law, "process_law": process_law, "jumps": JUMPS}
    whole = world(kind, 3, **options)
    parts = world(kind, 3, **options)
    calm = Witness(9, patience=1000)
    nervous = Witness(9, patience=patience)
    for _ in range(5):
        whole.run(calm, 1000)
        for events in (100, 400, 500):
            parts.run(nervous, events)
        assert place_of(whole) == place_of(parts)
    assert len(calm.seen) == 5
    assert len(nervous.seen) == 5 * sum(
        math.ceil(events / patience) for events in (100, 400, 500)
    )
    assert calm.totals == pytest.approx(nervous.totals)


@any_law
def test_what_came_has_gone_or_was_lost_or_waits(
    kind: type[QueueWorld], fetch_law: Law, process_law: Law
) -> None:
    found = world(kind, 5, fetch_law=fetch_law, process_law=process_law, jumps=JUMPS)
    policy = Witness(11)
    seen = found.run(policy, 5000)
    queue = 0
    now_s = 0.0
    for tally in policy.seen:
        assert tally.arrivals + tally.departures == 1
        assert tally.queue == queue + tally.arrivals - tally.departures - tally.blocked
        assert 0 <= tally.queue <= CAPACITY
        assert tally.blocked == (tally.arrivals and queue == CAPACITY)
        assert tally.awake == 11
        assert tally.fetching_s == pytest.approx(11 * tally.elapsed_s)
        assert tally.busy_s == pytest.approx(tally.elapsed_s if queue else 0.0)
        queue = tally.queue
        now_s = now_s + tally.elapsed_s
    sums = policy.totals
    assert sums.blocked > 0
    assert sums.arrivals == sums.departures + sums.blocked + found.queue
    assert sums.elapsed_s == pytest.approx(found.now_s) == pytest.approx(seen.elapsed_s)
    assert seen.starvation == pytest.approx(1 - sums.busy_s / sums.elapsed_s)
    assert seen.loss_rate == pytest.approx(sums.blocked / sums.elapsed_s)
    assert seen.mean_fetchers == pytest.approx(11.0)


@pytest.mark.parametrize("kind", [QueueWorld, Clocked])
def test_a_policy_that_wakes_nobody_is_not_left_with_nobody(
    kind: type[QueueWorld],
) -> None:
    policy = Witness(3)
    policy.wakes()[:] = False
    world(kind).run(policy, 2000)
    assert all(tally.awake or tally.queue for tally in policy.seen)
    assert max(tally.awake for tally in policy.seen[20:]) == 1


# what cannot be


@pytest.mark.parametrize(
    "options",
    [
        {"most": 0},
        {"most": 2.5},
        {"capacity": 0},
        {"capacity": -1},
        {"fetch_rate": 0.0},
        {"fetch_rate": math.nan},
        {"process_rate": -1.0},
        {"process_rate": math.inf},
        {"jumps": (Jump(5.0, 0.1, 1.0), Jump(4.0, 0.1, 1.0))},
        {"jumps": (Jump(-1.0, 0.1, 1.0),)},
        {"jumps": (Jump(1.0, 0.0, 1.0),)},
        {"jumps": (Jump(1.0, 0.1, math.nan),)},
    ],
)
def test_worlds_without_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadNumber):
        world(**options)


@pytest.mark.parametrize("which", ["fetch_law", "process_law"])
def test_a_law_that_is_not_known_is_refused_with_those_that_are(which: str) -> None:
    with pytest.raises(UnknownName, match=r"deterministic, exponential, pareto"):
        laws: dict[str, Any] = {which: "weibull"}
        world(**laws)


@pytest.mark.parametrize(
    "laws", [("exponential", "exponential"), ("pareto", "deterministic")]
)
@pytest.mark.parametrize("learns", [False, True])
def test_no_time_is_lost_where_the_rates_change(
    laws: tuple[Law, Law], learns: bool
) -> None:
    jumps = tuple(Jump(5.0 * number, 0.1, 1.0) for number in range(1, 200))
    world = QueueWorld(
        most=16,
        capacity=5,
        fetch_rate=0.1,
        process_rate=1.0,
        fetch_law=laws[0],
        process_law=laws[1],
        jumps=jumps,
        seed=3,
    )
    policy = AverageReward(16, 5, 1.4) if learns else Fixed(16, 5, 10)
    seen = world.run(policy, 2000)
    assert seen.elapsed_s == pytest.approx(world.now_s, rel=1e-9)
