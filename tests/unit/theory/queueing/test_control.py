"""Policy iteration on processes small enough for pencil and paper, and the policies that lead to
several places.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.theory.queueing.control import (
    ChoiceProcess,
    closed_classes,
    evaluate,
    policy_iteration,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import Rates, Strip


def ring(costs: list[float]) -> ChoiceProcess:
    """At each event of rate 1 a state may be kept (choice 0) or left for the next one on the ring
    (choice 1).
    """
    here = np.arange(len(costs))
    return ChoiceProcess(
        np.array(costs),
        np.ones((1, len(costs))),
        np.stack((here, np.roll(here, -1)))[None],
    )


def staying(count: int) -> np.ndarray:
    return np.zeros((1, count), dtype=np.int64)


def test_shares_costs_and_relative_values_of_two_states() -> None:
    process = ChoiceProcess(
        np.array([6.0, 0.0]), np.array([[2.0, 1.0]]), np.array([[[1, 0]]])
    )
    found = evaluate(process, staying(2))
    assert found.share == pytest.approx([1 / 3, 2 / 3])
    assert found.cost == pytest.approx(2.0)
    assert found.relative == pytest.approx([0.0, -2.0])  # 6 + 2·(h1 − h0) = 2
    assert found.visited.tolist() == [0, 1]


def test_states_that_are_left_for_ever_have_no_share_but_a_value() -> None:
    process = ChoiceProcess(
        np.array([5.0, 1.0]), np.array([[1.0, 1.0]]), np.array([[[1, 1]]])
    )
    found = evaluate(process, staying(2))
    assert found.share.tolist() == [0.0, 1.0]
    assert found.visited.tolist() == [1]
    assert found.relative == pytest.approx([4.0, 0.0])


def test_a_policy_that_stays_has_a_class_a_state_and_is_sent_to_the_cheapest() -> None:
    process = ring([3.0, 2.0, 1.0, 4.0])
    assert [part.tolist() for part in closed_classes(process, staying(4))] == [
        [0],
        [1],
        [2],
        [3],
    ]
    found = evaluate(process, staying(4))
    assert found.cost == pytest.approx(1.0)
    assert found.visited.tolist() == [2]
    assert found.choice.tolist() == [[1, 1, 0, 1]]
    assert len(closed_classes(process, found.choice)) == 1


def test_policy_iteration_finds_the_one_cheap_state_and_says_how_often_it_looked() -> (
    None
):
    found = policy_iteration(
        ring([3.0, 2.0, 1.0, 4.0]), np.ones((1, 4), dtype=np.int64)
    )
    assert found.cost == pytest.approx(1.0)
    assert found.choice.tolist() == [[1, 1, 0, 1]]
    assert found.evaluations == 2


def test_a_policy_without_anything_to_improve_is_kept() -> None:
    first = np.array([[1, 1, 0, 1]])
    found = policy_iteration(ring([3.0, 2.0, 1.0, 4.0]), first)
    assert found.evaluations == 1
    assert np.array_equal(found.choice, first)


def test_a_choice_that_is_not_allowed_is_never_made() -> None:
    process = ChoiceProcess(
        np.array([3.0, 1.0]), np.array([[1.0, 1.0]]), np.array([[[0, 0], [1, -1]]])
    )
    found = policy_iteration(process, staying(2))
    assert found.cost == pytest.approx(2.0)
    assert found.choice.tolist() == [[1, 0]]


def test_the_papers_policy_with_several_recurrent_classes_is_mended() -> None:
    """Arrivals always wake again, departures never: whoever is at work stays at work, at every
    level.
    """
    queue = FetcherQueue(0.3, 1.0, 3, 1.0)
    strip = Strip.whole(3, 4)
    process = strip.process(queue.rates)
    wakes = np.zeros((2, 4, 5), dtype=bool)
    wakes[1, :, 1:] = True
    choice = strip.choice_from(wakes, process)
    levels = closed_classes(process, choice)
    assert [np.unique(strip.states[1][part]).tolist() for part in levels] == [
        [1],
        [2],
        [3],
        [4],
    ]
    found = evaluate(process, choice)
    assert found.cost == pytest.approx(
        min(queue.static_cost(count) for count in range(1, 5)), rel=1e-12
    )
    assert len(closed_classes(process, found.choice)) == 1
    assert found.share.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("rates", [Rates(0.3, 1.0, 1.0), Rates(2.0, 0.5, 3.0)])
def test_relative_values_solve_the_equation_of_the_module(rates: Rates) -> None:
    process = Strip.whole(4, 5).process(rates)
    found = policy_iteration(
        process, Strip.whole(4, 5).choice_from(np.ones((2, 5, 6), dtype=bool), process)
    )
    worth = np.where(process.target >= 0, found.relative[process.target], np.inf).min(
        axis=1
    )
    gain = np.where(
        process.rate > 0.0,
        process.rate * (np.where(process.rate > 0.0, worth, 0.0) - found.relative),
        0.0,
    )
    assert process.cost + gain.sum(axis=0) == pytest.approx(
        np.full(len(process.cost), found.cost), abs=1e-9
    )


@pytest.mark.parametrize(
    ("rates", "capacity", "fetchers", "level", "cost"),
    [
        (
            Rates(0.07564616485967708, 1.7490858091148014, 0.22248609106106002),
            2,
            6,
            5,
            0.18161750158565632,
        ),
        (
            Rates(0.06605128392450818, 1.6477305368703652, 0.01922246184290225),
            3,
            6,
            6,
            0.01588276312559401,
        ),
        (
            Rates(0.33065963287139866, 8.167921156449799, 0.9790096797381452),
            2,
            6,
            5,
            0.8066243249677408,
        ),
    ],
)
def test_a_step_that_improves_only_what_is_not_visited_is_not_the_last(
    rates: Rates, capacity: int, fetchers: int, level: int, cost: float
) -> None:
    """On the way the cost stays, to the last bit or one above, while the states around become worth
    a visit.
    """
    strip = Strip.whole(capacity, fetchers)
    process = strip.process(rates)
    active = strip.states[1]
    choice = np.stack((active < level, active <= level)).astype(np.int64)
    allowed = (
        np.take_along_axis(process.target, choice[:, None, :], axis=1)[:, 0, :] >= 0
    )
    found = policy_iteration(process, np.where(allowed, choice, 1 - choice))
    assert found.cost == pytest.approx(cost, rel=1e-9)
