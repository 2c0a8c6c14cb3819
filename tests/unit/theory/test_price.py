"""The price of a visit against references of 60 digits, against averages over a posterior, and back
again.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from trapline.core.cards import Cards, blank_cards
from trapline.core.errors import BadNumber
from trapline.theory.price import (
    bracket,
    bracket_slope,
    due_after,
    inverse_bracket,
    offer_age,
    offer_price,
    visit_price,
)

SHAPES = [0.3, 1.0, 2.5, 40.0, 1e6, math.inf]
AGES = [
    1e-150,
    1e-12,
    1e-6,
    1e-3,
    0.0049,
    0.0051,
    0.0199,
    0.0201,
    0.05,
    0.5,
    1.0,
    3.0,
    30.0,
    600.0,
]


def exact(y: float, shape: float) -> float:
    """φ to 60 digits more than its own smallness needs."""
    with localcontext() as context:
        context.prec = 400
        if math.isinf(shape):
            return float(1 - (1 + Decimal(y)) * (-Decimal(y)).exp())
        u = Decimal(y) / Decimal(shape)
        power = Decimal(shape) + 1
        return float(1 - (-power * (1 + u).ln()).exp() * (1 + power * u))


def card(
    *,
    base: float = 0.0,
    cost: float = 1.0,
    worth: tuple[float, float] = (0.0, 0.0),
    rate: tuple[float, float] = (0.0, 0.0),
    shape: tuple[float, float] = (math.inf, math.inf),
    last: float = 0.0,
) -> Cards:
    cards = blank_cards(1)
    cards["base"] = base
    cards["cost"] = cost
    cards["last"] = last
    cards["worth"] = worth
    cards["rate"] = rate
    cards["shape"] = shape
    return cards


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("y", AGES)
def test_bracket_is_right_to_ten_digits_from_tiny_to_huge_ages(
    y: float, shape: float
) -> None:
    assert bracket(y, shape) == pytest.approx(exact(y, shape), rel=1e-10, abs=1e-310)


def test_bracket_of_a_small_age_is_its_series_in_fractions() -> None:
    # φ(y) = Σ_{k≥2} (−1)^k (k−1)/k! · y^k
    y = Fraction(1, 128)
    series = sum(
        Fraction((-1) ** k * (k - 1), math.factorial(k)) * y**k for k in range(2, 14)
    )
    assert bracket(float(y), math.inf) == pytest.approx(float(series), rel=1e-14)


def test_bracket_of_shape_one_is_a_plain_fraction() -> None:
    # a = 1: 1 − (1+2u)/(1+u)² = (u/(1+u))²
    for y in (Fraction(1, 1024), Fraction(1, 3), Fraction(7), Fraction(10**9)):
        assert bracket(float(y), 1.0) == pytest.approx(
            float((y / (1 + y)) ** 2), rel=1e-12
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_bracket_at_the_ends(shape: float) -> None:
    assert bracket(0.0, shape) == 0.0
    assert bracket(-1.0, shape) == 0.0
    assert bracket(math.nan, shape) == 0.0
    assert bracket(math.inf, shape) == 1.0  # never visited: the whole worth
    assert 0.9 < bracket(1e300, shape) <= 1.0


@pytest.mark.parametrize("shape", [0.05, *SHAPES])
def test_bracket_rises_with_age(shape: float) -> None:
    # beyond, the known rate's φ is 1 to the last digit
    y = np.geomspace(1e-9, 25.0, 3000)
    values = np.array([bracket(v, shape) for v in y])
    assert (np.diff(values) > 0.0).all()


@pytest.mark.parametrize(("a", "b"), [(0.4, 3.0), (1.0, 20.0), (3.7, 0.5), (60.0, 7.0)])
@pytest.mark.parametrize("t", [0.002, 0.3, 4.0, 90.0])
def test_bracket_is_the_average_over_a_gamma_posterior(
    a: float, b: float, t: float
) -> None:
    # over quantiles, so that the density's pole at 0 does no harm
    def weighted(q: float) -> float:
        y = float(stats.gamma.ppf(q, a)) * t / b
        return float(-math.expm1(-y) - y * math.exp(-y))

    mean, error = integrate.quad(
        weighted, 0.0, 1.0, epsabs=1e-13, epsrel=1e-9, limit=200
    )
    assert bracket(a / b * t, a) == pytest.approx(mean, rel=1e-6, abs=10 * error)


@pytest.mark.parametrize(("a", "b"), [(1.5, 3.0), (3.7, 0.5), (60.0, 7.0)])
@pytest.mark.parametrize("t", [0.01, 0.3, 4.0])
def test_freshness_over_a_posterior_is_shape_less_one(
    a: float, b: float, t: float
) -> None:
    """E[φ(Dt)/D] over Gamma(a, b) is b/(a−1)·φ at shape a−1 and the same b."""

    def weighted(rate: float) -> float:
        y = rate * t
        phi = -math.expm1(-y) - y * math.exp(-y)
        return phi / rate * float(stats.gamma.pdf(rate, a, scale=1.0 / b))

    most = float(stats.gamma.isf(1e-15, a, scale=1.0 / b))
    mean, _ = integrate.quad(weighted, 0.0, most, epsabs=1e-14, epsrel=1e-10, limit=400)
    cards = card(
        worth=(b / (a - 1.0), 0.0), rate=((a - 1.0) / b, 0.0), shape=(a - 1.0, math.inf)
    )
    # cards keep seven digits
    assert offer_price(cards, 0, t) == pytest.approx(mean, rel=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("y", [1e-9, 1e-3, 0.0049, 0.3, 2.0, 9.0])
def test_slope_is_the_derivative(y: float, shape: float) -> None:
    with localcontext() as context:
        context.prec = 400
        h = Decimal(y) / 10**20
        a = Decimal(shape)

        def phi(v: Decimal) -> Decimal:
            if math.isinf(shape):
                return 1 - (1 + v) * (-v).exp()
            return 1 - (-(a + 1) * (1 + v / a).ln()).exp() * (1 + (a + 1) * v / a)

        slope = float((phi(Decimal(y) + h) - phi(Decimal(y) - h)) / (2 * h))
    assert bracket_slope(y, shape) == pytest.approx(slope, rel=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "value", [1e-300, 1e-18, 1e-6, 2e-4, 0.01, 0.2642, 0.5, 0.9, 0.99]
)
def test_inverse_leads_back_to_the_value(value: float, shape: float) -> None:
    y = inverse_bracket(value, shape)
    assert 0.0 < y < math.inf
    assert bracket(y, shape) == pytest.approx(value, rel=1e-10, abs=1e-310)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("y", [1e-9, 1e-3, 0.0049, 0.3, 2.0, 9.0])
def test_inverse_leads_back_to_the_age(y: float, shape: float) -> None:
    assert inverse_bracket(bracket(y, shape), shape) == pytest.approx(y, rel=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_inverse_at_the_ends(shape: float) -> None:
    assert inverse_bracket(0.0, shape) == 0.0
    assert inverse_bracket(-3.0, shape) == 0.0
    assert inverse_bracket(1.0, shape) == math.inf
    assert inverse_bracket(5.0, shape) == math.inf
    # (1+y)e^(−y) = 2^−53
    assert inverse_bracket(math.nextafter(1.0, 0.0), math.inf) == pytest.approx(
        40.4, abs=0.6
    )


def test_two_gains_of_one_page_add_up_and_the_cost_divides() -> None:
    cards = card(
        base=0.25,
        cost=2.0,
        worth=(3.0, 1.5),
        rate=(0.5, 2.0),
        shape=(math.inf, 2.5),
        last=10.0,
    )
    expected = (
        0.25 + 3.0 * exact(0.5 * 4.0, math.inf) + 1.5 * exact(2.0 * 4.0, 2.5)
    ) / 2.0
    assert offer_price(cards, 0, 14.0) == pytest.approx(expected, rel=1e-12)
    assert offer_price(cards, 0, 10.0) == 0.125
    assert offer_price(cards, 0, 9.0) == 0.125  # an age below 0 is an age of 0


@pytest.mark.parametrize("cost", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("age", [0.003, 0.2, 3.0, 11.0])
@pytest.mark.parametrize("worth", [(3.0, 1.5), (3.0, 0.0), (0.0, 1.5)])
def test_offer_age_is_the_inverse_of_offer_price(
    worth: tuple[float, float], age: float, cost: float
) -> None:
    cards = card(
        base=0.25, cost=cost, worth=worth, rate=(0.5, 2.0), shape=(math.inf, 2.5)
    )
    price = offer_price(cards, 0, age)
    assert offer_age(cards, 0, price, 1e4) == pytest.approx(age, rel=1e-6)
    assert offer_age(cards, 0, price, 0.5 * age) == 0.5 * age  # never beyond `most`


@pytest.mark.parametrize("worth", [(3.0, 1.5), (3.0, 0.0), (0.0, 1.5), (0.0, 0.0)])
def test_offer_age_at_the_ends(worth: tuple[float, float]) -> None:
    cards = card(base=0.25, cost=2.0, worth=worth, rate=(0.5, 2.0))
    assert offer_age(cards, 0, 0.125, 100.0) == 0.0  # the base alone is worth it
    assert offer_age(cards, 0, 0.0, 100.0) == 0.0
    # it never will be
    assert offer_age(cards, 0, (0.25 + sum(worth)) / 2.0 + 1e-3, 100.0) == 100.0
    if sum(worth):
        assert 0.0 < offer_age(cards, 0, 0.13, 100.0) < 100.0


def test_offers_that_are_not_comparable_by_price() -> None:
    due = card(base=math.inf, cost=7.0, worth=(3.0, 0.0), rate=(0.5, 0.0))
    none = card(base=-math.inf, worth=(3.0, 0.0), rate=(0.5, 0.0))
    assert offer_price(due, 0, 5.0) == math.inf
    assert offer_age(due, 0, 1e9, 50.0) == 0.0
    assert offer_price(none, 0, 5.0) == -math.inf


def test_a_page_never_visited_is_worth_all_it_has() -> None:
    cards = card(
        base=0.5,
        worth=(3.0, 1.5),
        rate=(0.5, 2.0),
        shape=(math.inf, 2.5),
        last=-math.inf,
    )
    assert offer_price(cards, 0, 5.0) == 5.0


def test_arrays_of_prices_and_due_times() -> None:
    ages = np.array([0.0, 1.0, 8.0])
    prices = visit_price(ages, 0.5, 2.0)
    np.testing.assert_allclose(
        prices, [2.0 * exact(0.5 * age, math.inf) for age in ages], rtol=1e-13
    )
    np.testing.assert_allclose(due_after(prices, 0.5, 2.0), ages, rtol=1e-11)
    assert due_after(price=2.0, rate=0.5, worth=2.0) == math.inf


@pytest.mark.parametrize(
    ("age", "rate", "worth", "named"),
    [
        (math.nan, 1, 1, "age"),
        (-1, 1, 1, "age"),
        (1, 0, 1, "rate"),
        (1, -1, 1, "rate"),
        (1, math.inf, 1, "rate"),
        (1, math.nan, 1, "rate"),
        (1, 1, -1, "worth"),
        (1, 1, math.inf, "worth"),
        ([1, math.nan], 1, 1, "age"),
    ],
)
def test_no_price_is_made_of_what_is_no_number(
    age: float, rate: float, worth: float, named: str
) -> None:
    with pytest.raises(BadNumber, match=f"the {named} is"):
        visit_price(age, rate, worth)
    with pytest.raises(
        BadNumber, match="the price is" if named == "age" else f"the {named} is"
    ):
        due_after(age, rate, worth)


def test_from_tiny_to_huge_and_back() -> None:
    y = np.geomspace(1e-9, 15.0, 200)
    np.testing.assert_allclose(
        due_after(visit_price(y, 1.0, 2.0), 1.0, 2.0), y, rtol=1e-7
    )
    assert visit_price(math.inf, 1.0, 2.0) == 2.0
    assert due_after(0.0, 1.0, 0.0) == 0.0
    assert due_after(1.0, 1.0, 0.0) == math.inf
