"""The front door: what it refuses and how it says so, the smallest queues by hand, and what it does
not import.
"""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UserMistake
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import improve

GOOD: dict[str, Any] = {
    "fetch_rate": 0.1,
    "process_rate": 1.0,
    "capacity": 5,
    "starvation_weight": 1.4,
}
NOT_RATES = [0.0, -1.0, math.nan, math.inf, -math.inf, "1", None, 1j]
NOT_COUNTS = [0, -3, 2.0, 2.5, math.nan, math.inf, True, "5", None]
QUEUE = FetcherQueue(**GOOD)


@pytest.mark.parametrize("found", NOT_RATES)
@pytest.mark.parametrize(
    ("field", "says"),
    [
        (
            "fetch_rate",
            (
                r"the fetch rate λ is .*, but must be a finite number above 0 \(pages a unit of "
                r"time that one fetcher"
            ),
        ),
        (
            "process_rate",
            (
                r"the process rate μ is .*, but must be a finite number above 0 \(pages a unit of "
                r"time that are"
            ),
        ),
        (
            "starvation_weight",
            (
                r"the starvation weight γ is .*, but must be a finite number above 0 \(without it "
                r"no fetcher"
            ),
        ),
    ],
)
def test_what_is_no_rate_is_refused_by_name_and_with_the_reason(
    field: str, says: str, found: Any
) -> None:
    with pytest.raises(BadNumber, match=says):
        FetcherQueue(**GOOD | {field: found})


@pytest.mark.parametrize("found", NOT_COUNTS)
def test_what_is_no_capacity_is_refused(found: Any) -> None:
    with pytest.raises(
        BadNumber,
        match=r"the capacity K is .*, but must be a whole number, at least 1 \(the page",
    ):
        FetcherQueue(**GOOD | {"capacity": found})


@pytest.mark.parametrize("found", NOT_COUNTS)
@pytest.mark.parametrize("ask", [QUEUE.static_cost, QUEUE.solve, QUEUE.value_iteration])
def test_what_is_no_number_of_fetchers_is_refused(ask: Any, found: Any) -> None:
    with pytest.raises(
        BadNumber,
        match=r"the number of fetchers N is .*a whole number, at least 1 \(nobody else",
    ):
        ask(found)


@pytest.mark.parametrize("found", NOT_RATES)
def test_what_is_no_load_is_refused(found: Any) -> None:
    with pytest.raises(
        BadNumber, match=r"the load ρ is .*, but must be a finite number above 0"
    ):
        QUEUE.load_cost(found)


def test_a_refusal_names_what_was_found_and_is_a_mistake_of_the_user() -> None:
    with pytest.raises(UserMistake, match=r"the capacity K is 2\.5, but"):
        FetcherQueue(**GOOD | {"capacity": 2.5})


def test_numbers_of_numpy_are_numbers() -> None:
    queue = FetcherQueue(np.float64(0.1), 1, np.int64(5), np.float64(1.4))  # type: ignore[arg-type]
    assert queue.solve(np.int64(10)).cost == QUEUE.solve(10).cost  # type: ignore[arg-type]
    assert queue.best_static() == QUEUE.best_static()


@pytest.mark.parametrize("weight", [0.05, 1.1, 3.0, 80.0])
def test_one_place_with_a_fixed_number_of_fetchers(weight: float) -> None:
    queue = FetcherQueue(0.1, 2.0, 1, weight)
    assert queue.balanced_weight == 6.0
    assert queue.best_load == pytest.approx(
        math.sqrt(1.0 + weight / 2.0) - 1.0, rel=1e-9
    )
    # γ·μ/(μ+a) + a·a/(μ+a), a = λN
    costs = [(weight * 2.0 + 0.01 * n * n) / (2.0 + 0.1 * n) for n in range(1, 200)]
    best = queue.best_static()
    assert best.fetchers == 1 + int(np.argmin(costs))
    assert best.cost == pytest.approx(min(costs), rel=1e-12)


def test_one_place_and_one_fetcher_take_turns() -> None:
    """The fetcher rests while its page is processed: nothing is ever lost, and half the cycle 1/λ +
    1/μ starves.
    """
    plan = FetcherQueue(0.5, 2.0, 1, 3.0).solve(1)
    assert plan.cost == pytest.approx(3.0 * 2.0 / 2.5)
    assert (plan.loss_rate, plan.min_fetchers) == (0.0, 0)
    assert plan.starvation == plan.mean_fetchers == pytest.approx(0.8)
    assert plan.wake(queue=1, active=0, event="departure")
    assert not plan.wake(queue=0, active=1, event="arrival")
    assert plan.departure_curve.tolist() == [1] and plan.arrival_curve.tolist() == [-1]


def test_one_fetcher_that_may_never_pause_costs_as_much_as_a_fixed_one() -> None:
    # pages so rare that none is ever lost for want of a pause
    queue = FetcherQueue(0.01, 1.0, 6, 5.0)
    assert queue.solve(1).cost == pytest.approx(queue.static_cost(1), rel=1e-9)
    assert queue.solve(1).cost <= queue.static_cost(1)


@pytest.mark.parametrize("count", [1, 3, 7])
def test_keeping_a_level_is_the_static_policy(count: int) -> None:
    wakes = np.zeros((2, 6, 8), dtype=bool)
    wakes[0, :, :count] = wakes[1, :, : count + 1] = True
    played = QUEUE.play(wakes)
    assert played.cost == pytest.approx(QUEUE.static_cost(count), rel=1e-12)
    assert played.min_fetchers == count
    assert played.mean_fetchers == pytest.approx(count)
    assert played.evaluations == 1


def test_a_plan_for_nearby_rates_saves_steps() -> None:
    cold = QUEUE.solve(16)
    near = replace(QUEUE, fetch_rate=0.1003).solve(16)
    warm = improve(QUEUE.rates, near.wakes)
    assert warm.cost == pytest.approx(cold.cost, rel=1e-12)
    assert np.array_equal(warm.wakes, cold.wakes)
    assert warm.evaluations < cold.evaluations


def test_the_shop_window_opens_without_the_compiler() -> None:
    program = (
        "import sys\nfrom trapline.theory import FetcherQueue\nFetcherQueue(0.1, 1.0, 5, "
        "1.4).solve(4)\n"
        "print(*(name for name in ('numba', 'llvmlite', 'matplotlib') if name in sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "", "")


def test_of_two_equally_good_numbers_the_smaller() -> None:
    queue = FetcherQueue(0.25, 1.0, 1, 0.875)
    assert queue.static_cost(1) == pytest.approx(queue.static_cost(2), rel=1e-14)
    assert queue.best_static().fetchers == 1


def test_a_table_of_another_queue_is_refused() -> None:
    with pytest.raises(BadNumber, match="the shape of the table"):
        QUEUE.play(np.zeros((2, 9, 4), dtype=bool))


@pytest.mark.parametrize("rate", [True, 10**400, "1"])
def test_what_is_no_rate_is_refused(rate: float) -> None:
    with pytest.raises(BadNumber, match="fetch rate"):
        FetcherQueue(rate, 1.0, 5, 1.0)


def test_optima_that_rounding_once_hid() -> None:
    """Policy iteration used to stop when a step changed transient states only and rounding raised
    the cost.
    """
    assert FetcherQueue(0.02, 1.0, 3, 0.2).solve(150).cost == pytest.approx(
        0.13280992, abs=1e-8
    )
    assert FetcherQueue(0.0874722578, 1.0, 2, 0.1861116093).solve(
        26
    ).cost == pytest.approx(0.139670487, abs=1e-8)
