"""The paper's own algorithm: its printed iterations, its stopping rule, and what it says when it
cannot go on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.queueing import value_iteration
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import Rates
from trapline.theory.queueing.value_iteration import iterate

FIGURES = [(1.0, 254, 0.20907), (1.4, 255, 0.25924), (2.0, 256, 0.32211)]


@pytest.mark.parametrize(("weight", "iterations", "cost"), FIGURES)
def test_the_iterations_costs_and_plans_of_figures_6_to_8(
    weight: float, iterations: int, cost: float
) -> None:
    queue = FetcherQueue(0.1, 1.0, 5, weight)
    found = queue.value_iteration(16)
    plan = queue.solve(16)
    assert (found.iterations, round(found.cost, 5)) == (iterations, cost)
    assert np.array_equal(found.wakes, plan.wakes)


@pytest.mark.parametrize("reference", [(1, 1, 0), (0, 3, 1), (5, 16, 2), (2, 0, 2)])
def test_any_state_that_can_occur_may_be_the_reference(
    reference: tuple[int, int, int],
) -> None:
    assert iterate(Rates(0.1, 1.0, 1.4), 5, 16, reference).cost == pytest.approx(
        0.2592396, abs=1e-5
    )


@pytest.mark.parametrize("capacity", [1, 2])
@pytest.mark.parametrize("fetchers", [1, 2])
def test_the_smallest_queues(capacity: int, fetchers: int) -> None:
    queue = FetcherQueue(0.4, 1.0, capacity, 0.8)
    found = queue.value_iteration(fetchers, tolerance=1e-9)
    assert found.cost == pytest.approx(queue.solve(fetchers).cost, abs=1e-7)
    assert found.wakes[0, 1, 0]  # nobody would be left to bring a page


def test_a_smaller_tolerance_comes_nearer_and_takes_longer() -> None:
    queue = FetcherQueue(0.1, 1.0, 10, 1.2)
    exact = queue.solve(10).cost
    rough, fine = (
        queue.value_iteration(10, tolerance=tolerance) for tolerance in (1e-2, 1e-8)
    )
    assert abs(fine.cost - exact) < 1e-7 < abs(rough.cost - exact)
    assert rough.iterations < fine.iterations


@pytest.mark.parametrize(
    "reference",
    [
        (0, 3, 0),
        (3, 0, 1),
        (0, 0, 2),
        (6, 1, 1),
        (1, 17, 1),
        (1, 1, 3),
        (-1, 1, 1),
        (1, -1, 0),
        (1, 1, -1),
    ],
)
def test_a_reference_that_cannot_occur_is_refused(
    reference: tuple[int, int, int],
) -> None:
    with pytest.raises(
        BadNumber,
        match=r"the reference state is \(.*a state \(queue, active, event\) that can occur",
    ):
        iterate(Rates(0.1, 1.0, 1.4), 5, 16, reference)


@pytest.mark.parametrize("tolerance", [0.0, -1e-5, 1.0, 2, math.nan, math.inf])
def test_a_tolerance_that_means_nothing_is_refused(tolerance: Any) -> None:
    with pytest.raises(
        BadNumber, match=r"the tolerance is .*, but must be between 0 and 1"
    ):
        iterate(Rates(0.1, 1.0, 1.4), 5, 16, tolerance=tolerance)


def test_a_tolerance_that_is_not_met_is_an_error_not_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(value_iteration, "_MOST_ITERATIONS", 50)
    with pytest.raises(
        BadNumber,
        match="the tolerance is 1e-05, but must be larger: it was not met in 50 iterations",
    ):
        iterate(Rates(0.1, 1.0, 1.4), 5, 16)


@pytest.mark.parametrize("rate", [6.058658217199629, 1.0, 0.3])
def test_a_value_that_tends_to_nothing_does_not_keep_it_going(rate: float) -> None:
    """All rates alike with one place and one fetcher: a relative value is 0 but for rounding."""
    found = FetcherQueue(rate, rate, 1, rate).value_iteration(1)
    assert found.iterations < 1000
    assert found.cost == pytest.approx(
        FetcherQueue(rate, rate, 1, rate).solve(1).cost, rel=1e-4
    )
