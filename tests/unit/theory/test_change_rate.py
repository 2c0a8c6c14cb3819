"""The Gamma posterior of a change rate: against the exact posterior by quadrature, and in its limits."""

from __future__ import annotations

import math

import pytest
from scipy import integrate, stats

from trapline.theory.change_rate.gamma import gamma_update


def exact_moments(a: float, b: float, gap: float) -> tuple[float, float]:
    """Mean and variance of D given that something changed within the gap."""

    def density(rate: float) -> float:
        return float(stats.gamma.pdf(rate, a, scale=1.0 / b)) * -math.expm1(-rate * gap)

    most = stats.gamma.ppf(1 - 1e-12, a, scale=1.0 / b)
    total, first, second = (
        integrate.quad(lambda rate, power=power: rate**power * density(rate), 0.0, most, limit=200)[0]
        for power in (0, 1, 2)
    )
    return first / total, second / total - (first / total) ** 2


@pytest.mark.parametrize(("a", "b"), [(2.0, 10.0), (1.1, 3.0), (20.0, 5.0)])
@pytest.mark.parametrize("gap", [0.01, 1.0, 50.0])
def test_a_change_seen_keeps_mean_and_variance_of_the_exact_posterior(a: float, b: float, gap: float) -> None:
    mean, variance = exact_moments(a, b, gap)
    found_a, found_b = gamma_update(a, b, gap, True)
    assert found_a / found_b == pytest.approx(mean, rel=1e-5)
    assert found_a / found_b**2 == pytest.approx(variance, rel=1e-4)


def test_no_change_seen_lowers_the_rate_and_is_exact() -> None:
    assert gamma_update(2.0, 10.0, 5.0, False) == (2.0, 15.0)


def test_a_change_within_no_time_counts_as_one_more() -> None:
    near, limit = gamma_update(2.0, 10.0, 1e-4, True), gamma_update(2.0, 10.0, 0.0, True)
    assert limit == (3.0, 10.0)
    assert near == pytest.approx(limit, rel=1e-3)


def test_a_change_after_very_long_says_nothing() -> None:
    assert gamma_update(2.0, 10.0, 1e12, True) == pytest.approx((2.0, 10.0), rel=1e-6)


@pytest.mark.parametrize("rate", [0.02, 0.5])
def test_visits_at_even_gaps_find_the_rate(rate: float) -> None:
    """Expected numbers of changed and unchanged visits, mixed evenly."""
    a, b, gap, owed = 2.0, 2.0, 3.0, 0.0
    for _ in range(4000):
        owed += -math.expm1(-rate * gap)
        changed = owed >= 1.0
        owed -= changed
        a, b = gamma_update(a, b, gap, changed)
    assert a / b == pytest.approx(rate, rel=0.03)
