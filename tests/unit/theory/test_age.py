"""Ages against integration and simulation; the rates that keep them least against a general
optimiser.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize

from trapline.core.errors import BadNumber
from trapline.theory import best_age_rates, freshness_bound
from trapline.theory.age import age_total, page_age
from trapline.theory.argument_checks import Floats


@pytest.mark.parametrize("rate", [1e-4, 0.3, 1.0, 40.0])
@pytest.mark.parametrize("frequency", [0.1, 1.0, 7.0])
def test_the_age_is_the_mean_of_what_is_expected_after_a_visit(
    rate: float, frequency: float
) -> None:
    area, _ = integrate.quad(
        lambda t: t - -math.expm1(-rate * t) / rate, 0.0, 1.0 / frequency, epsabs=1e-15
    )
    assert page_age(rate, frequency) == pytest.approx(frequency * area, rel=1e-8)


def test_the_age_of_poisson_changes() -> None:
    """By simulation: the time since the first change after the last visit, at random moments
    between two visits.
    """
    rng = np.random.default_rng(4)
    rate = 0.8
    frequency = 0.5
    moments = 200_000
    since = rng.uniform(0.0, 1.0 / frequency, moments)
    first = rng.exponential(1.0 / rate, moments)
    ages = np.maximum(0.0, since - first)
    assert page_age(rate, frequency) == pytest.approx(
        ages.mean(), abs=4.0 * ages.std() / math.sqrt(moments)
    )


def test_no_digits_are_lost_where_visits_are_frequent() -> None:
    """A = D/(6f²)·(1 − D/(4f) + …); and closed form and series meet at y = 1."""
    assert page_age(1e-9, 1.0) == pytest.approx(1e-9 / 6.0 * (1.0 - 0.25e-9), rel=1e-14)
    assert page_age(1.0 - 1e-12, 1.0) == pytest.approx(
        page_age(1.0 + 1e-12, 1.0), rel=1e-11
    )
    assert (
        page_age(1.0, 1.0)
        == pytest.approx(0.5 - math.exp(-1.0), rel=1e-14)
        == page_age([1.0], [1.0])[0]
    )


def test_never_visited_is_endlessly_old() -> None:
    assert page_age(1.0, 0.0) == math.inf
    assert age_total([1.0, 2.0], [1.0, 0.0]) == math.inf
    assert age_total([1.0, 2.0], [1.0, 0.0], [3.0, 0.0]) == pytest.approx(
        3.0 * (0.5 - math.exp(-1.0)), rel=1e-14
    )


CASES = [
    ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], 1.5),
    ([0.2, 1.0, 5.0], [1.0, 1.0, 1.0], 1.0),
    ([0.2, 1.0, 5.0, 0.7], [0.1, 2.0, 4.0, 0.5], 20.0),
    ([9.0, 0.3, 0.31, 2.0, 1.1], [1.0, 1.0, 3.0, 0.2, 1.0], 0.8),
]


@pytest.mark.parametrize(("rates", "weights", "budget"), CASES)
def test_the_best_rates_are_what_a_general_optimiser_finds(
    rates: list[float], weights: list[float], budget: float
) -> None:
    n = len(rates)

    def total(often: Floats) -> float:
        return age_total(rates, often, weights)

    found = optimize.minimize(
        total,
        np.full(n, budget / n),
        method="SLSQP",
        bounds=[(1e-3, None)] * n,
        constraints=optimize.LinearConstraint(np.ones((1, n)), budget, budget),
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert found.success, found.message
    best = best_age_rates(rates, budget, weights)
    assert best.sum() == pytest.approx(budget, rel=1e-14)
    assert age_total(rates, best, weights) == pytest.approx(float(found.fun), rel=1e-7)
    assert age_total(rates, best, weights) <= float(found.fun) * (1.0 + 1e-12)
    np.testing.assert_allclose(best, found.x, atol=3e-3 * budget)


def price(rate: Floats, weight: Floats, often: Floats) -> Floats:
    """−dA/df by differences."""
    step = 1e-5 * often
    found: Floats = (
        weight
        * (page_age(rate, often - step) - page_age(rate, often + step))
        / (2.0 * step)
    )
    return found


@settings(max_examples=40, deadline=None)
@given(
    pages=st.lists(
        st.tuples(st.floats(-3.0, 3.0), st.floats(-2.0, 2.0)), min_size=1, max_size=8
    ),
    spare=st.floats(-2.0, 2.0),
)
def test_one_price_for_all_and_every_page_is_visited(
    pages: list[tuple[float, float]], spare: float
) -> None:
    rate, weight = 10.0 ** np.array(pages).T
    budget = 10.0**spare
    often = best_age_rates(rate, budget, weight)
    assert often.sum() == pytest.approx(budget, rel=1e-13)
    assert (often > 0.0).all()
    prices = price(rate, weight, often)
    np.testing.assert_allclose(prices, prices.mean(), rtol=1e-4)


def test_for_age_the_fast_pages_are_not_given_up_as_for_freshness() -> None:
    rates = np.array([0.1, 0.5, 50.0])
    assert freshness_bound(rates, np.ones(3), 0.5).rates[2] == 0.0
    assert best_age_rates(rates, 0.5)[2] == best_age_rates(rates, 0.5).max()


def test_pages_of_no_weight_get_no_visit() -> None:
    np.testing.assert_allclose(
        best_age_rates([1.0, 2.0, 1.0], 3.0, [1.0, 0.0, 1.0]),
        [1.5, 0.0, 1.5],
        rtol=1e-13,
    )


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, math.inf])
def test_rates_without_a_meaning(rate: float) -> None:
    for call in (
        lambda: page_age(rate, 1.0),
        lambda: best_age_rates([1.0, rate], 1.0),
        lambda: age_total([1.0, rate], [1.0, 1.0]),
    ):
        with pytest.raises(BadNumber, match="change rate"):
            call()


@pytest.mark.parametrize("budget", [0.0, -1.0, math.nan, math.inf])
def test_budgets_without_a_meaning(budget: float) -> None:
    with pytest.raises(BadNumber, match="budget"):
        best_age_rates([1.0, 2.0], budget)


def test_other_numbers_without_a_meaning() -> None:
    with pytest.raises(BadNumber, match="frequency"):
        page_age(1.0, -1.0)
    with pytest.raises(BadNumber, match="frequencies"):
        age_total([1.0, 2.0], [1.0])
    with pytest.raises(BadNumber, match="number of pages"):
        best_age_rates([], 1.0)
    for weights in ([1.0], [1.0, -1.0], [0.0, 0.0], [math.nan, 1.0]):
        with pytest.raises(BadNumber, match="weight"):
            best_age_rates([1.0, 2.0], 1.0, weights)
