"""The freshness bound against a general optimiser; what a schedule earns against integration and
simulation.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize

from trapline.core.errors import BadNumber
from trapline.theory.freshness import freshness_bound, freshness_earned

Floats = NDArray[np.float64]
Hosts = NDArray[np.int32]


def fresh_share(rate: Floats, visits: Floats) -> Floats:
    shares: Floats = visits / rate * -np.expm1(-rate / np.maximum(visits, 1e-12))
    return shares


def best_by_search(
    rate: Floats, weight: Floats, budget: float, host: Hosts, most: Floats
) -> tuple[float, Floats]:
    """The same problem handed to SLSQP, which knows nothing of prices."""

    def lost(visits: Floats) -> float:
        return -float(weight @ fresh_share(rate, visits))

    of_hosts = (np.arange(len(most))[:, None] == host).astype(float)
    limits = optimize.LinearConstraint(
        np.vstack([np.ones(len(rate)), of_hosts]), -np.inf, np.append(budget, most)
    )
    start = np.full(len(rate), min(budget, float(most.min())) / len(rate))
    found = optimize.minimize(
        lost,
        start,
        method="SLSQP",
        bounds=[(1e-9, None)] * len(rate),
        constraints=limits,
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    assert found.success, found.message
    return -float(found.fun), found.x


CASES = [
    ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], 1.5),
    ([0.2, 1.0, 5.0], [1.0, 1.0, 1.0], 1.0),
    ([0.2, 1.0, 5.0, 0.7], [0.1, 2.0, 4.0, 0.5], 2.0),
    ([9.0, 0.3, 0.31, 2.0, 1.1], [1.0, 1.0, 3.0, 0.2, 1.0], 0.8),
]


@pytest.mark.parametrize(("rates", "weights", "budget"), CASES)
def test_bound_is_what_a_general_optimiser_finds(
    rates: list[float], weights: list[float], budget: float
) -> None:
    rate = np.array(rates)
    weight = np.array(weights)
    bound = freshness_bound(rate, weight, budget)
    value, visits = best_by_search(
        rate, weight, budget, np.zeros(len(rate), np.int32), np.array([1e9])
    )
    assert bound.value == pytest.approx(value, rel=1e-7)
    np.testing.assert_allclose(bound.rates, visits, atol=2e-3)
    assert bound.rates.sum() == pytest.approx(budget, rel=1e-9)


@pytest.mark.parametrize(
    ("hosts", "gaps"),
    [
        ([0, 0, 1, 1, 1], [0.5, 4.0]),
        ([0, 1, 2, 0, 1], [10.0, 0.1, 2.5]),
        ([0] * 5, [2.0]),
    ],
)
def test_bound_with_host_gaps_is_what_a_general_optimiser_finds(
    hosts: list[int], gaps: list[float]
) -> None:
    rate = np.array([9.0, 0.3, 0.31, 2.0, 1.1])
    weight = np.array([1.0, 1.0, 3.0, 0.2, 1.0])
    host = np.array(hosts, np.int32)
    gap_s = np.array(gaps)
    bound = freshness_bound(rate, weight, 1.2, host, gap_s)
    value, visits = best_by_search(rate, weight, 1.2, host, 1.0 / gap_s)
    assert bound.value == pytest.approx(value, rel=1e-7)
    np.testing.assert_allclose(bound.rates, visits, atol=3e-3)
    assert (np.bincount(host, bound.rates) <= 1.0 / gap_s * (1.0 + 1e-9)).all()
    assert bound.rates.sum() <= 1.2 * (1.0 + 1e-9)
    assert bound.value < freshness_bound(rate, weight, 1.2).value


def test_gaps_that_leave_the_budget_unspent() -> None:
    rate = np.array([1.0, 2.0])
    weight = np.ones(2)
    bound = freshness_bound(
        rate, weight, 100.0, np.array([0, 1], np.int32), np.array([4.0, 0.5])
    )
    np.testing.assert_allclose(bound.rates, [0.25, 2.0], rtol=1e-9)
    assert bound.value == pytest.approx(
        fresh_share(rate, np.array([0.25, 2.0])).sum(), rel=1e-12
    )
    # a further visit is worth nothing: none can be made
    assert bound.price == pytest.approx(0.0, abs=1e-12)


def test_the_price_is_what_one_more_visit_a_second_earns() -> None:
    rate = np.array([0.2, 1.0, 5.0, 0.7])
    weight = np.array([0.1, 2.0, 4.0, 0.5])
    step = 1e-4
    more = freshness_bound(rate, weight, 1.0 + step)
    less = freshness_bound(rate, weight, 1.0 - step)
    assert freshness_bound(rate, weight, 1.0).price == pytest.approx(
        (more.value - less.value) / (2 * step), rel=1e-5
    )


def test_pages_of_no_weight_get_no_visit() -> None:
    bound = freshness_bound(np.array([1.0, 1.0]), np.array([0.0, 1.0]), 0.5)
    np.testing.assert_allclose(bound.rates, [0.0, 0.5], rtol=1e-9)
    assert bound.value == pytest.approx(0.5 * -math.expm1(-2.0), rel=1e-12)


@pytest.mark.parametrize("budget", [0.0, -1.0, math.nan])
def test_a_budget_that_is_none(budget: float) -> None:
    with pytest.raises(BadNumber, match="budget"):
        freshness_bound(np.ones(2), np.ones(2), budget)


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, math.inf])
def test_rates_without_a_meaning_are_refused(rate: float) -> None:
    with pytest.raises(BadNumber, match="rate"):
        freshness_bound(np.array([1.0, rate]), np.ones(2), 1.0)


def test_one_page_by_hand() -> None:
    rate = np.array([0.5])
    weight = np.array([3.0])
    none = np.zeros(0)
    nothing = np.zeros(0, np.int64)
    # last visited at 0, looked at over [0, 4]: mean of e^(−s/2) over 4 seconds
    expected = 3.0 * (1.0 - math.exp(-2.0)) / 0.5 / 4.0
    assert freshness_earned(
        rate, weight, np.zeros(1), none, nothing, window=(0.0, 4.0)
    ) == pytest.approx(expected, rel=1e-14)
    # one visit in the middle starts it anew
    expected = 3.0 * 2.0 * (1.0 - math.exp(-1.0)) / 0.5 / 4.0
    earned = freshness_earned(
        rate,
        weight,
        np.zeros(1),
        np.array([2.0]),
        np.zeros(1, np.int64),
        window=(0.0, 4.0),
    )
    assert earned == pytest.approx(expected, rel=1e-14)
    # never visited: never fresh
    assert (
        freshness_earned(
            rate, weight, np.full(1, -math.inf), none, nothing, window=(0.0, 4.0)
        )
        == 0.0
    )


def test_visits_before_and_after_the_window_count_for_what_they_do_in_it() -> None:
    rate = np.array([0.5])
    weight = np.ones(1)
    never = np.full(1, -math.inf)
    pages = np.zeros(4, np.int64)
    earned = freshness_earned(
        rate, weight, never, np.array([1.0, 2.0, 9.0, 11.0]), pages, window=(5.0, 8.0)
    )
    # visited last at 2, the window is [5, 8]
    expected = (math.exp(-1.5) - math.exp(-3.0)) / 0.5 / 3.0
    assert earned == pytest.approx(expected, rel=1e-13)


def test_earned_is_the_integral_of_the_chance_to_be_fresh() -> None:
    rng = np.random.default_rng(7)
    rate = rng.uniform(0.05, 3.0, 5)
    weight = rng.uniform(0.1, 2.0, 5)
    last = rng.uniform(-3.0, 0.0, 5)
    before = last.copy()
    times = np.sort(rng.uniform(0.0, 12.0, 60))
    pages = rng.integers(0, 5, 60)
    from_s = 2.0
    to_s = 10.0
    steps = 200_000
    width = (to_s - from_s) / steps
    grid = from_s + width * (np.arange(steps) + 0.5)
    total = 0.0
    for page in range(5):
        visits = np.concatenate(([last[page]], times[pages == page]))
        since = grid - visits[np.searchsorted(visits, grid, side="right") - 1]
        total += weight[page] * np.exp(-rate[page] * since).sum() * width
    earned = freshness_earned(rate, weight, last, times, pages, window=(from_s, to_s))
    assert earned == pytest.approx(total / (to_s - from_s), rel=1e-5)
    np.testing.assert_array_equal(last, before)  # it was not written on


def test_earned_is_what_poisson_changes_leave_fresh_on_average() -> None:
    rng = np.random.default_rng(3)
    rate = np.array([0.8, 0.1])
    weight = np.array([1.0, 2.0])
    times = np.array([0.5, 1.0, 2.5, 4.0, 4.5])
    pages = np.array([0, 1, 0, 1, 0])
    worlds = 4000
    fresh = np.zeros(worlds)
    for world in range(worlds):
        for page in (0, 1):
            changes = np.cumsum(rng.exponential(1.0 / rate[page], 60))
            visits = np.concatenate(([0.0], times[pages == page], [6.0]))
            for begin, end in pairwise(visits.tolist()):
                after = changes[np.searchsorted(changes, begin)]
                fresh[world] += weight[page] * (min(after, end) - begin) / 6.0
    earned = freshness_earned(
        rate, weight, np.zeros(2), times, pages, window=(0.0, 6.0)
    )
    assert earned == pytest.approx(
        fresh.mean(), abs=4.0 * fresh.std() / math.sqrt(worlds)
    )


def test_even_spacing_earns_the_bound() -> None:
    rate = np.array([0.4, 2.0])
    weight = np.array([1.0, 3.0])
    bound = freshness_bound(rate, weight, 2.0)
    until = 2000.0
    plans = [np.arange(0.0, until, 1.0 / visits) for visits in bound.rates]
    times = np.concatenate(plans)
    pages = np.repeat([0, 1], [len(plan) for plan in plans])
    order = np.argsort(times, kind="stable")
    earned = freshness_earned(
        rate,
        weight,
        np.full(2, -math.inf),
        times[order],
        pages[order],
        window=(0.0, until),
    )
    assert earned == pytest.approx(bound.value, rel=1e-3)
