"""Best rates against a general optimiser and random changes of them; the bound against brute force
and schedules.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from trapline.core.errors import BadNumber, UnknownPage
from trapline.theory import (
    best_rates,
    detections,
    proportional_rates,
    slotted_bound,
    slotted_price,
    visit_price,
)
from trapline.theory.argument_checks import Floats
from trapline.theory.market import market_price
from trapline.theory.polling.allocation import uniform_rates
from trapline.theory.polling.realised import detections_of_schedule

some = settings(max_examples=60, deadline=None)


def spread(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda exponent: 10.0**exponent)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Floats, float, Floats]:
    """Change probabilities, a budget and weights, some of them 0 or equal."""
    n = draw(st.integers(2, 8))
    p = draw(st.lists(spread(-5.0, -0.001), min_size=n, max_size=n))
    weights = draw(
        st.lists(
            st.sampled_from([0.0, 1.0, 1.0, 0.3, 7.0]), min_size=n, max_size=n
        ).filter(any)
    )
    return np.array(p), draw(st.floats(0.01, 1.0)) * n, np.array(weights)


# The best rates


def test_equal_weights_by_the_formula() -> None:
    p = np.random.default_rng(1).uniform(0.001, 0.9, 300)
    hazard = -np.log1p(-p)
    np.testing.assert_allclose(best_rates(p), hazard / hazard.sum(), rtol=1e-13)
    np.testing.assert_allclose(
        best_rates(p, weights=np.full(300, 5.0)), hazard / hazard.sum(), rtol=1e-13
    )
    best = detections(p, best_rates(p, 3.0))
    assert best == pytest.approx(3.0 * -math.expm1(-hazard.sum() / 3.0), rel=1e-13)


@pytest.mark.parametrize("budget", [0.01, 0.7, 1.0, 3.0, 4.9])
def test_weights_by_a_general_optimiser(budget: float) -> None:
    p = np.array([0.6, 0.3, 0.1, 0.05, 0.9])
    weights = np.array([1.0, 3.0, 0.2, 8.0, 0.6])

    def lost(rates: Floats) -> float:
        return -detections(p, np.maximum(0.0, rates), weights)

    found = optimize.minimize(
        lost,
        np.full(5, budget / 5),
        method="SLSQP",
        bounds=[(0.0, 1.0)] * 5,
        constraints=optimize.LinearConstraint(np.ones((1, 5)), budget, budget),
        options={"ftol": 1e-14, "maxiter": 500},
    )
    best = best_rates(p, budget, weights)
    assert best.sum() == pytest.approx(budget, rel=1e-14)
    assert -float(found.fun) == pytest.approx(detections(p, best, weights), rel=1e-7)
    assert detections(p, best, weights) >= -float(found.fun) * (1.0 - 1e-9)


def test_one_price_for_all_that_are_polled_but_not_at_every_step() -> None:
    rng = np.random.default_rng(2)
    p = rng.uniform(0.001, 0.9, 500)
    weights = rng.uniform(0.0, 2.0, 500)
    rates = best_rates(p, 60.0, weights)
    hazard = -np.log1p(-p)
    inside = (rates > 0.0) & (rates < 1.0)
    prices = visit_price(1.0 / rates[inside], hazard[inside], weights[inside])
    np.testing.assert_allclose(prices, prices.mean(), rtol=1e-12)
    assert (rates == 1.0).any() and (rates == 0.0).any()
    assert (
        visit_price(1.0, hazard[rates == 1.0], weights[rates == 1.0]) >= prices.min()
    ).all()
    assert (weights[rates == 0.0] <= prices.max()).all()


def test_d_plus_1_minus_d_log_is_the_price() -> None:
    d = 1.0 - 0.8 ** (1.0 / 0.25)
    assert visit_price(4.0, -math.log(0.8), 3.0) == pytest.approx(
        3.0 * (d + (1.0 - d) * math.log(1.0 - d)), rel=1e-13
    )


@some
@given(problem=problems(), seed=st.integers(0, 2**32 - 1))
def test_no_other_rates_earn_more(
    problem: tuple[Floats, float, Floats], seed: int
) -> None:
    p, budget, weights = problem
    best = best_rates(p, budget, weights)
    assert best.sum() == pytest.approx(budget, rel=1e-12)
    assert best.min() >= 0.0 and best.max() <= 1.0
    earned = detections(p, best, weights)
    rng = np.random.default_rng(seed)
    for size in (1e-6, 1e-3, 0.1, 1.0):
        giver, taker = rng.permutation(p.size)[:2]
        moved = size * rng.uniform() * min(best[giver], 1.0 - best[taker])
        other = best.copy()
        other[giver] -= moved
        other[taker] += moved
        assert detections(p, other, weights) <= earned * (1.0 + 1e-12)


@some
@given(problem=problems())
def test_the_formula_is_no_less_than_the_bound_of_whole_steps(
    problem: tuple[Floats, float, Floats],
) -> None:
    p, budget, weights = problem
    assert slotted_bound(p, budget, weights) <= detections(
        p, best_rates(p, budget, weights), weights
    ) * (1.0 + 1e-12)


def test_nearly_equal_weights_give_what_equal_ones_do() -> None:
    """Closed form and market price are two ways to the same rates, also under the cap."""
    p = 0.5 / np.arange(1, 200)
    for budget in (0.5, 20.0, 150.0):
        priced = best_rates(p, budget, 1.0 + 1e-14 * (np.arange(199) % 2))
        np.testing.assert_allclose(priced, best_rates(p, budget), rtol=1e-9)


def test_more_polls_than_pages_of_weight() -> None:
    p = [0.5, 0.2, 0.1, 0.3]
    assert best_rates(p, 3.0, [1.0, 0.0, 2.0, 0.0]).tolist() == [1.0, 0.5, 1.0, 0.5]
    assert best_rates(p, 4.0).tolist() == [1.0] * 4
    assert best_rates(p, 2.0, [1.0, 0.0, 2.0, 0.0]).tolist() == [1.0, 0.0, 1.0, 0.0]


def test_pages_that_are_nearly_certain_to_have_changed() -> None:
    """No float lies between the price at which they ask for too much and their weight: what is left
    is shared out.
    """
    p = np.full(100, 0.9)
    weights = np.where(np.arange(100) < 50, 1.0, 0.5)
    rates = best_rates(p, 0.5, weights)
    np.testing.assert_allclose(rates, np.where(weights == 1.0, 0.01, 0.0), rtol=1e-12)
    assert detections(p, rates, weights) == pytest.approx(0.5, rel=1e-15)


def test_pages_that_hardly_ever_change_or_count() -> None:
    rates = best_rates([1e-200, 0.5, 1e-300], 2.5, [1.0, 2.0, 1e-200])
    assert rates.sum() == pytest.approx(2.5, rel=1e-12)
    assert rates[1] == 1.0 and rates.max() == 1.0 and rates[0] > rates[2]


def test_the_others() -> None:
    p = [0.5, 0.2, 0.1]
    np.testing.assert_allclose(
        proportional_rates(p, 1.2), [0.75, 0.3, 0.15], rtol=1e-14
    )
    np.testing.assert_allclose(proportional_rates(p, 2.5), [1.0, 1.0, 0.5], rtol=1e-14)
    np.testing.assert_allclose(uniform_rates(p, 1.2), [0.4, 0.4, 0.4], rtol=1e-14)
    assert detections(p, [0.5, 0.0, 1.0], [1.0, 1.0, 2.0]) == pytest.approx(
        0.5 * 0.75 + 2.0 * 0.1, rel=1e-14
    )


def test_a_market_whose_demand_jumps() -> None:
    low, high = market_price(lambda price: 3.0 if price < 0.7 else 1.0, 2.0, 0.1, 9.0)
    assert low < 0.7 <= high == np.nextafter(low, 1.0)


def test_a_market_with_too_high_a_first_guess() -> None:
    low, high = market_price(lambda price: price**-0.5, 1e4, 0.5, 9.0)
    assert low == pytest.approx(1e-8, rel=1e-13) and high == pytest.approx(
        1e-8, rel=1e-13
    )


# Whole steps


@some
@given(p=spread(-6.0, -0.001), age=st.integers(0, 3000), weight=st.floats(0.0, 9.0))
def test_the_slotted_price_is_its_formula(p: float, age: int, weight: float) -> None:
    expected = weight * (1.0 - (1.0 - p) ** age * (1.0 + age * p))
    assert slotted_price(p, age, weight) == pytest.approx(
        expected, rel=1e-9, abs=1e-12 * max(1.0, weight)
    )


def test_prices_of_many_and_of_pages_never_polled() -> None:
    assert slotted_price([0.5, 0.2], [math.inf, 0.0], 3.0).tolist() == [3.0, 0.0]
    assert slotted_price(np.full((2, 3), 0.1), 2).shape == (2, 3)
    assert isinstance(slotted_price(0.3, 2), float)
    # p² without cancellation
    assert slotted_price(1e-9, 1) == pytest.approx(1e-18, rel=1e-9)


def dual(price: float, p: Floats, budget: float, weights: Floats, most: int) -> float:
    k = np.arange(1, most + 1)[:, None]
    best = ((weights * (1.0 - (1.0 - p) ** k) - price) / k).max(axis=0)
    return price * budget + float(np.maximum(0.0, best).sum())


def bound_by_force(
    p: Floats, budget: float, weights: Floats, most: int = 2000
) -> float:
    """Over all k up to `most`, by golden-section search of the convex dual."""
    low = 0.0
    high = float(weights.max())
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    for _ in range(80):
        left = high - ratio * (high - low)
        right = low + ratio * (high - low)
        if dual(left, p, budget, weights, most) < dual(right, p, budget, weights, most):
            high = right
        else:
            low = left
    return dual(0.5 * (low + high), p, budget, weights, most)


@pytest.mark.parametrize("budget", [0.2, 1.0, 2.5, 6.0])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_bound_by_brute_force(budget: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.02, 0.95, 6)
    weights = rng.uniform(0.1, 3.0, 6)
    assert slotted_bound(p, budget, weights) == pytest.approx(
        bound_by_force(p, budget, weights), abs=1e-9
    )
    assert slotted_bound(p, budget) == pytest.approx(
        bound_by_force(p, budget, np.ones(6)), abs=1e-9
    )


def test_two_pages_by_hand() -> None:
    """Alternating is the best that two like pages allow: each poll finds a change with chance 1 −
    q².
    """
    assert slotted_bound([0.3, 0.3]) == pytest.approx(1.0 - 0.49, rel=1e-14)
    assert detections_of_schedule([0.3, 0.3], [0, 1] * 4000) == pytest.approx(
        1.0 - 0.49, abs=1e-4
    )
    assert slotted_bound([0.3, 0.2], budget=2.0) == pytest.approx(0.5, rel=1e-14)


# Schedules


@some
@given(problem=problems(), seed=st.integers(0, 2**32 - 1), steps=st.integers(1, 400))
def test_no_schedule_exceeds_the_bound(
    problem: tuple[Floats, float, Floats], seed: int, steps: int
) -> None:
    """Also not one that begins with all pages just seen: ages are no greater for it."""
    p, _, weights = problem
    chosen = np.random.default_rng(seed).choice(
        p.size, steps, p=np.random.default_rng(seed).dirichlet(np.ones(p.size))
    )
    assert detections_of_schedule(p, chosen, weights) <= slotted_bound(
        p, 1.0, weights
    ) * (1.0 + 1e-12)


def test_greedy_by_price_comes_near_the_bound_and_not_over_it() -> None:
    p = 0.6 / np.arange(1, 9)
    ages = np.zeros(8)
    pages = []
    for _ in range(3000):
        ages += 1.0
        pages.append(int(slotted_price(p, ages).argmax()))
        ages[pages[-1]] = 0.0
    assert 0.99 * slotted_bound(p) < detections_of_schedule(p, pages) < slotted_bound(p)


def test_detections_of_a_schedule_are_what_chance_gives_on_the_average() -> None:
    rng = np.random.default_rng(5)
    p = np.array([0.4, 0.1, 0.02])
    weights = np.array([1.0, 2.0, 5.0])
    pages = [0, 1, 0, 0, 2, 1, 0, 2, 2, 0]
    worlds = 20_000
    total = 0.0
    dirty = np.zeros((worlds, 3), bool)
    for page in pages:
        dirty |= rng.random((worlds, 3)) < p
        total += weights[page] * dirty[:, page].mean()
        dirty[:, page] = False
    assert detections_of_schedule(p, pages, weights) == pytest.approx(
        total / len(pages), abs=0.006
    )
    assert detections_of_schedule(p, np.array(pages)) == pytest.approx(
        sum(
            1.0 - (1.0 - p[page]) ** age
            for page, age in zip(pages, [1, 2, 2, 1, 5, 4, 3, 3, 1, 3], strict=True)
        )
        / 10,
        rel=1e-13,
    )


# What is refused

Call = Callable[..., object]

P = [0.5, 0.2, 0.1]
CALLS: dict[str, Call] = {
    "best_rates": best_rates,
    "proportional_rates": proportional_rates,
    "uniform_rates": uniform_rates,
    "detections": lambda p: detections(p, [0.1, 0.1]),
    "slotted_bound": slotted_bound,
    "detections_of_schedule": lambda p: detections_of_schedule(p, [0]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    "p",
    [
        [0.5, 0.0],
        [0.5, 1.0],
        [-0.1, 0.5],
        [0.5, math.nan],
        [0.5, 7.0],
        [0.5],
        [],
        0.5,
        [[0.5, 0.5]],
        ["x", "y"],
    ],
)
def test_probabilities_that_are_none_and_fewer_than_two_pages(
    call: Call, p: object
) -> None:
    with pytest.raises(BadNumber, match=r"change probability|number of pages"):
        call(p)


@pytest.mark.parametrize(
    "formula", [best_rates, proportional_rates, uniform_rates, slotted_bound]
)
@pytest.mark.parametrize("budget", [0.0, -1.0, math.nan, math.inf, 3.0001, True, "2"])
def test_budgets(formula: Callable[..., object], budget: object) -> None:
    with pytest.raises(BadNumber, match="budget"):
        formula(P, budget)


@pytest.mark.parametrize(
    "weights",
    [
        [1.0, 1.0],
        [1.0, 1.0, -1.0],
        [1.0, math.nan, 1.0],
        [1, 1, math.inf],
        [0, 0, 0],
        1,
    ],
)
def test_weights(weights: list[float]) -> None:
    for call in (
        lambda: best_rates(P, 1.0, weights),
        lambda: slotted_bound(P, 1.0, weights),
        lambda: detections(P, P, weights),
        lambda: detections_of_schedule(P, [0], weights),
    ):
        with pytest.raises(BadNumber, match="weight"):
            call()


@pytest.mark.parametrize(
    "rates", [[0.1, 0.1], [0.1, 0.1, -0.1], [0.1, math.nan, 0.1], [0.1, 0.1, math.inf]]
)
def test_rates(rates: list[float]) -> None:
    with pytest.raises(BadNumber, match="rate"):
        detections(P, rates)


@pytest.mark.parametrize(
    ("p", "age", "weight"),
    [(1.0, 1, 1), (0.5, -1, 1), (0.5, math.nan, 1), (0.5, 1, -1)],
)
def test_prices(p: float, age: float, weight: float) -> None:
    with pytest.raises(BadNumber):
        slotted_price(p, age, weight)


def test_schedules() -> None:
    with pytest.raises(UnknownPage, match="page 3 has no card"):
        detections_of_schedule(P, [0, 3])
    with pytest.raises(UnknownPage, match="page -1"):
        detections_of_schedule(P, [0, -1])
    with pytest.raises(BadNumber, match="number of polls"):
        detections_of_schedule(P, [])
    with pytest.raises(BadNumber, match="whole number"):
        detections_of_schedule(P, [0.5, 1.0])
