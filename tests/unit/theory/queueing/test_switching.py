"""The best plan against a linear programme in the paper's own words, strips against the whole grid,
and odd tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import coo_array

from trapline.core.errors import BadNumber
from trapline.theory.queueing import switching
from trapline.theory.queueing.control import (
    ChoiceProcess,
    Controlled,
    Ints,
    policy_iteration,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import (
    Plan,
    Rates,
    Strip,
    improve,
    level_wakes,
    play,
    solve,
)

State = tuple[int, int, int]


# an independent judge: occupation measures of the uniformised chain (18)–(21), errata repaired


def allowed_actions(state: State) -> list[int]:
    """A_x: nothing to decide at a fictitious event; the last page must not leave an empty house
    behind.
    """
    if state[2] == 2:
        return [0]
    return [1] if state == (1, 0, 0) else [0, 1]


def next_states(
    state: State, action: int, rates: Rates, capacity: int, fetchers: int
) -> dict[State, float]:
    queue, active, event = state
    if event == 0:
        queue = queue - 1
        active = min(active + action, fetchers)
    elif event == 1:
        queue = min(queue + 1, capacity)
        active = active - 1 + action
    clock = rates.fetch * fetchers + rates.process
    departs = rates.process * (queue > 0) / clock
    arrives = rates.fetch * active / clock
    found = {
        (queue, active, 0): departs,
        (queue, active, 1): arrives,
        (queue, active, 2): 1.0 - departs - arrives,
    }
    return {state: chance for state, chance in found.items() if chance > 0.0}


def programme_cost(rates: Rates, capacity: int, fetchers: int) -> float:
    """Least Σ c(x)·m(x, a) over shares m of the epochs that flow into every state as much as out of
    it.
    """
    grid = [
        (q, r, s)
        for q in range(capacity + 1)
        for r in range(fetchers + 1)
        for s in range(3)
    ]
    states = [
        (q, r, s)
        for q, r, s in grid
        if (q, s) != (0, 0) and (r, s) != (0, 1) and (q, r, s) != (0, 0, 2)
    ]
    row = {state: number for number, state in enumerate(states)}
    pairs = [(state, action) for state in states for action in allowed_actions(state)]
    clock = rates.fetch * fetchers + rates.process
    costs = [
        rates.weight * (q == 0) + clock * (q == capacity and s == 1)
        for (q, _, s), _ in pairs
    ]
    entries = [(row[state], column, 1.0) for column, (state, _) in enumerate(pairs)]
    for column, (state, action) in enumerate(pairs):
        following = next_states(state, action, rates, capacity, fetchers)
        entries += [
            (row[after], column, -chance) for after, chance in following.items()
        ]
    entries += [(len(states), column, 1.0) for column in range(len(pairs))]
    rows, columns, values = zip(*entries, strict=True)
    balance = coo_array(
        (values, (rows, columns)), shape=(len(states) + 1, len(pairs))
    ).toarray()
    wanted = np.append(np.zeros(len(states)), 1.0)
    found = linprog(
        costs,
        A_eq=balance,
        b_eq=wanted,
        method="highs",
        options={
            "primal_feasibility_tolerance": 1e-10,
            "dual_feasibility_tolerance": 1e-10,
        },
    )
    assert found.status == 0 and found.fun is not None
    return float(found.fun)


PROGRAMMES = [
    (Rates(0.1, 1.0, 1.4), 5, 10),  # Table 1
    (Rates(0.1, 1.0, 0.4), 5, 7),
    (Rates(0.1, 1.0, 2.0), 5, 16),  # Figure 8
    (Rates(0.3, 1.0, 1.0), 1, 1),
    (Rates(0.3, 1.0, 1.0), 1, 6),
    (Rates(2.0, 0.7, 4.0), 1, 3),
    (Rates(0.5, 1.0, 3.0), 2, 1),
    (Rates(0.5, 1.0, 0.2), 6, 1),
    (Rates(0.2, 1.0, 50.0), 3, 8),
    (Rates(0.05, 3.0, 0.02), 4, 6),
    (Rates(1.5, 1.0, 0.9), 2, 7),  # two fetchers are too many
    (Rates(0.07564616485967708, 1.7490858091148014, 0.22248609106106002), 2, 6),
    (Rates(0.06605128392450818, 1.6477305368703652, 0.01922246184290225), 3, 6),
]


@pytest.mark.parametrize(("rates", "capacity", "fetchers"), PROGRAMMES)
def test_the_best_plan_is_the_optimum_of_the_linear_programme(
    rates: Rates, capacity: int, fetchers: int
) -> None:
    wanted = programme_cost(rates, capacity, fetchers)
    for start in {1, (fetchers + 1) // 2, fetchers}:
        assert solve(rates, capacity, fetchers, start).cost == pytest.approx(
            wanted, abs=1e-8
        )
    best = FetcherQueue(rates.fetch, rates.process, capacity, rates.weight).solve(
        fetchers
    )
    assert best.cost == pytest.approx(wanted, abs=1e-8)


def test_the_judge_knows_a_queue_that_can_be_done_by_hand() -> None:
    assert programme_cost(Rates(0.5, 2.0, 3.0), 1, 1) == pytest.approx(
        3.0 * 2.0 / 2.5, abs=1e-9
    )


# strips

STRIPS = {
    "grows, r=N": (60, 60, 0.0167, 1.0),
    "grows, r=0 and r=N": (60, 60, 0.02, 1.0),
    "grows, far from 0": (80, 80, 0.0125, 0.5),
    "grows, short of 0": (80, 80, 0.014, 2.0),
    "grows thrice, r=0 and r=N": (120, 120, 0.009, 1.0),
    "all at work": (60, 60, 0.005, 1.0),
    "few of many": (3, 120, 0.1, 1.0),
    "long queue, few fetchers": (120, 10, 0.1, 1.0),
}


class Watch:
    """The strips that were solved on the way, by their numbers of states."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []

        def watched(process: ChoiceProcess, choice: Ints) -> Controlled:
            self.sizes.append(len(process.cost))
            return policy_iteration(process, choice)

        monkeypatch.setattr(switching, "policy_iteration", watched)


def on_strips_and_whole(
    monkeypatch: pytest.MonkeyPatch, queue: FetcherQueue, fetchers: int
) -> tuple[Plan, Plan]:
    plans = []
    for whole in (0, 10**9):
        monkeypatch.setattr(switching, "_WHOLE", whole)
        plans.append(queue.solve(fetchers))
    return plans[0], plans[1]


@pytest.mark.parametrize("name", STRIPS)
def test_a_strip_finds_what_the_whole_grid_finds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    capacity, fetchers, fetch, weight = STRIPS[name]
    queue = FetcherQueue(fetch, 1.0, capacity, weight)
    watch = Watch(monkeypatch)
    strip, whole = on_strips_and_whole(monkeypatch, queue, fetchers)
    assert whole.cost > 1e-6
    assert strip.cost == pytest.approx(whole.cost, rel=1e-9)
    assert strip.mean_fetchers == pytest.approx(whole.mean_fetchers, rel=1e-6)
    assert (strip.min_fetchers, strip.max_fetchers) == (
        whole.min_fetchers,
        whole.max_fetchers,
    )
    assert (
        strip.states < whole.states == (capacity + 1) * (fetchers + 1) - 1
        or fetchers < 20
    )
    assert queue.play(strip.wakes).cost == pytest.approx(strip.cost, rel=1e-9)
    assert strip.is_monotone
    if "grows" in name:
        assert len(watch.sizes) > 2 + 2 * ("thrice" in name)
    if "r=0" in name:
        assert strip.min_fetchers == 0
    if "r=N" in name:
        assert strip.max_fetchers == fetchers


@pytest.mark.parametrize("margin", [1, 2, 5])
def test_a_narrow_first_strip_only_grows_more_often(
    margin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = FetcherQueue(0.1, 1.0, 10, 1.2)
    whole = queue.solve(25)
    monkeypatch.setattr(switching, "_WHOLE", 0)
    monkeypatch.setattr(switching, "_MARGIN", margin)
    watch = Watch(monkeypatch)
    assert queue.solve(25).cost == pytest.approx(whole.cost, rel=1e-9)
    assert len(watch.sizes) > 1


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_strip_may_start_from_any_table(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = FetcherQueue(0.05, 1.0, 30, 1.0)
    whole = queue.solve(30)
    monkeypatch.setattr(switching, "_WHOLE", 0)
    start = np.random.default_rng(5).random((2, 31, 31)) < share
    assert improve(queue.rates, start).cost == pytest.approx(whole.cost, rel=1e-9)


@settings(max_examples=50, deadline=None)
@given(
    data=st.data(),
    capacity=st.integers(1, 25),
    fetchers=st.integers(1, 40),
    margin=st.integers(1, 20),
)
def test_a_strip_can_be_kept_to_from_all_its_states(
    data: st.DataObject, capacity: int, fetchers: int, margin: int
) -> None:
    """Around any visited states.

    Rows that nobody visits (low = N, high = −1) follow only where all fetchers rest.
    """
    ends = st.tuples(st.integers(0, fetchers), st.integers(0, fetchers)).map(sorted)
    rows = [
        data.draw(
            st.tuples(st.integers(1, fetchers), st.integers(1, fetchers)).map(sorted)
        )
    ]
    rows += data.draw(st.lists(ends, min_size=capacity, max_size=capacity))
    last = data.draw(st.integers(1, capacity))
    if last < capacity:
        rows[last:] = [[0, 0]] + (capacity - last) * [[fetchers, -1]]
    low, high = np.array(rows).T
    strip = Strip.around(low, high, margin, fetchers)
    for bound in (strip.low, strip.high):
        assert np.isin(-np.diff(bound), (0, 1)).all()
    assert (strip.low <= strip.high).all()
    assert (
        (strip.low >= 0).all() and strip.low[0] >= 1 and (strip.high <= fetchers).all()
    )
    visited = low <= high
    assert (
        strip.low[visited] <= np.maximum(low - margin, [1, *[0] * capacity])[visited]
    ).all()
    assert (strip.high[visited] >= np.minimum(high + margin, fetchers)[visited]).all()
    process = strip.process(Rates(0.1, 1.0, 1.0))
    queue, active = strip.states
    assert np.array_equal(strip.number(queue, active), np.arange(len(queue)))
    assert ((process.target >= 0).any(axis=1) | (process.rate == 0.0)).all()


def test_outside_its_strip_a_plan_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switching, "_WHOLE", 0)
    strip = Strip.around(np.full(41, 50), np.full(41, 50), 16, 100)
    process = strip.process(Rates(0.02, 1.0, 1.0))
    wakes = strip.wakes_from(strip.choice_from(level_wakes(40, 100, 50), process))
    assert wakes[:, 1:, 1:34].all() and not wakes[:, :, 67:].any()
    assert play(Rates(0.02, 1.0, 1.0), wakes).cost == pytest.approx(
        FetcherQueue(0.02, 1.0, 40, 1.0).static_cost(50), rel=1e-12
    )


# plans

PLAN = FetcherQueue(0.1, 1.0, 5, 1.4).solve(16)


def test_the_curves_and_the_table_of_figure_7_say_the_same() -> None:
    assert PLAN.departure_curve.tolist() == [
        5,
        5,
        5,
        5,
        5,
        5,
        5,
        4,
        4,
        3,
        3,
        3,
        2,
        2,
        1,
        1,
    ]
    assert PLAN.arrival_curve.tolist() == [
        5,
        5,
        5,
        5,
        3,
        3,
        3,
        2,
        2,
        1,
        1,
        1,
        0,
        0,
        -1,
        -1,
    ]
    for active, highest in enumerate(PLAN.departure_curve):
        assert [
            PLAN.wake(queue=q, active=active, event="departure") for q in range(1, 6)
        ] == [q <= highest for q in range(1, 6)]
    for active, highest in enumerate(PLAN.arrival_curve, 1):
        assert [
            PLAN.wake(queue=q, active=active, event="arrival") for q in range(6)
        ] == [q <= highest for q in range(6)]
    assert (PLAN.capacity, PLAN.fetchers, PLAN.max_fetchers) == (5, 16, 16)


def test_max_fetchers_is_where_departures_cease_to_wake() -> None:
    plan = FetcherQueue(0.1, 1.0, 5, 1.4).solve(45)
    assert plan.max_fetchers == 16  # Table 2
    assert plan.cost == pytest.approx(PLAN.cost, abs=1e-5)


@pytest.mark.parametrize(
    ("queue", "active", "event", "says"),
    [
        (
            0,
            3,
            "departure",
            "the queue before the departure is 0, but must be from 1 to 5",
        ),
        (
            6,
            3,
            "departure",
            "the queue before the departure is 6, but must be from 1 to 5",
        ),
        (-1, 3, "arrival", "is -1, but must be from 0 to 5"),
        (6, 3, "arrival", "is 6, but must be from 0 to 5"),
        (
            1,
            -1,
            "departure",
            "the active fetchers before the departure is -1, but must be from 0 to 16",
        ),
        (1, 17, "departure", "is 17, but must be from 0 to 16"),
        (1, 0, "arrival", "is 0, but must be from 1 to 16"),
        (1, 17, "arrival", "is 17, but must be from 1 to 16"),
        (
            1,
            3,
            "breakfast",
            "the event is 'breakfast', but must be 'arrival' or 'departure'",
        ),
        (1, 3, 0, "the event is 0, but must be 'arrival' or 'departure'"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    queue: int, active: int, event: Any, says: str
) -> None:
    with pytest.raises(BadNumber, match=says):
        PLAN.wake(queue=queue, active=active, event=event)


def test_what_cannot_happen_wakes_nobody() -> None:
    wakes = PLAN.wakes
    assert (
        not wakes[0, 0].any() and not wakes[0, :, -1].any() and not wakes[1, :, 0].any()
    )
    assert wakes[0, 1, 0]


def test_a_table_that_is_no_pair_of_falling_curves_is_not_monotone() -> None:
    assert PLAN.is_monotone
    rates = Rates(0.1, 1.0, 1.4)
    for event, queue, active in ((0, 1, 9), (0, 5, 15), (1, 0, 5), (1, 5, 16)):
        wakes = PLAN.wakes.copy()
        wakes[event, queue, active] ^= True
        assert not play(rates, wakes).is_monotone


def test_a_table_with_two_closed_classes_is_played_where_it_starts_and_improved_all_the_same() -> (
    None
):
    """Arrivals always wake again and departures never wake, but at (1, 0): every
    level is closed.
    """
    wakes = np.zeros((2, 6, 3), dtype=bool)
    wakes[1] = True
    queue = FetcherQueue(0.5, 1.0, 5, 1.0)
    assert queue.play(wakes).cost == pytest.approx(queue.static_cost(1), rel=1e-12)
    assert queue.play(wakes, queue=3, active=2).cost == pytest.approx(
        queue.static_cost(2), rel=1e-12
    )
    assert improve(queue.rates, wakes).cost == pytest.approx(
        queue.solve(2).cost, rel=1e-9
    )
