"""The relaxed bound against all of its corners, and its limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.source import EphemeralSource, Sources

TABLE_1 = [
    EphemeralSource(250.0, *numbers)
    for numbers in ((1.0, 0.7), (0.7, 0.35), (0.2, 0.7), (0.08, 0.21))
]


def corners(sources: list[EphemeralSource], budget: float, most: int = 400) -> float:
    """The dual is convex and linear between the prices of ages: its least value at one of them."""
    ages = np.arange(1.0, most)
    prices = np.concatenate(
        [
            [0.0],
            *(
                np.append(source.price(ages), source.price(math.inf))
                for source in sources
            ),
        ]
    )
    duals = budget * prices
    for source in sources:
        duals += np.maximum(
            0.0,
            ((source.content(ages) - prices[:, None] * source.cost) / ages).max(axis=1),
        )
    return float(duals.min())


@pytest.mark.parametrize("budget", [0.01, 0.3, 1.0, 1.5, 2.0, 2.5, 3.0, 3.9])
def test_the_bound_is_the_least_corner_of_the_dual(budget: float) -> None:
    assert relaxed_bound(TABLE_1, budget).value == pytest.approx(
        corners(TABLE_1, budget), rel=1e-13
    )


@pytest.mark.parametrize("budget", [0.01, 0.3, 1.0, 1.5, 2.0, 2.5, 3.0, 3.9])
def test_the_rates_spend_the_budget_and_earn_the_bound(budget: float) -> None:
    many = Sources.of(TABLE_1)
    found = relaxed_bound(many, budget)
    assert many.cost @ found.rates == pytest.approx(budget, rel=1e-12)
    # A source visited f times a slot, in turns after ⌊1/f⌋ and ⌈1/f⌉ slots, earns what lies between
    # the two.
    sure = np.flatnonzero(found.rates > 0.0)
    early = np.floor(1.0 / found.rates[sure] + 1e-9)
    share = (found.rates[sure] - 1.0 / (early + 1.0)) / (
        1.0 / early - 1.0 / (early + 1.0)
    )
    contents = [
        [TABLE_1[i].content(k), TABLE_1[i].content(k + 1.0)]
        for i, k in zip(sure, early, strict=True)
    ]
    sooner, later = np.array(contents).T
    assert share @ (sooner / early) + (1.0 - share) @ (
        later / (early + 1.0)
    ) == pytest.approx(found.value, rel=1e-11)


def test_each_source_waits_until_its_price_is_that_of_the_market() -> None:
    many = Sources.of(TABLE_1)
    found = relaxed_bound(many, 2.0)
    assert (
        found.ages.tolist()
        == many.due_age(found.price).tolist()
        == [1.0, 2.0, 3.0, 7.0]
    )
    assert found.rates.tolist()[0] == 1.0 and found.rates.tolist()[2:] == [1 / 3, 1 / 7]
    assert 0.5 < found.rates[1] < 1.0  # the margin


def test_a_budget_for_everything_has_price_0() -> None:
    for budget in (4.0, 4.5, 1e9):
        found = relaxed_bound(TABLE_1, budget)
        assert found.price == 0.0
        assert found.value == pytest.approx(
            sum(source.gain for source in TABLE_1), rel=1e-14
        )
        assert found.ages.tolist() == found.rates.tolist() == [1.0] * 4
    assert relaxed_bound(TABLE_1, math.nextafter(4.0, 0.0)).price > 0.0


def test_a_tiny_budget_goes_to_the_source_of_greatest_worth_each_time_it_is_full() -> (
    None
):
    found = relaxed_bound(TABLE_1, 1e-6)
    assert found.value == pytest.approx(1e-6 * 500.0, rel=1e-3)
    assert found.rates[1] == pytest.approx(1e-6) and found.rates.sum() == pytest.approx(
        1e-6
    )


def test_costs_count() -> None:
    dear = [
        EphemeralSource(250.0, 1.0, 0.7, cost=2.0),
        EphemeralSource(250.0, 0.7, 0.35, cost=0.5),
    ]
    for budget in (0.1, 0.6, 1.7, 2.4):
        found = relaxed_bound(dear, budget)
        assert found.value == pytest.approx(corners(dear, budget), rel=1e-13)
        assert found.rates @ [2.0, 0.5] == pytest.approx(budget, rel=1e-12)
    assert relaxed_bound(dear, 2.5).price == 0.0


def test_sources_without_utility_are_never_visited() -> None:
    found = relaxed_bound([*TABLE_1, EphemeralSource(1.0, 0.0, 1.0, cost=100.0)], 4.0)
    assert found.price == 0.0 and found.rates.tolist() == [1.0, 1.0, 1.0, 1.0, 0.0]
    assert relaxed_bound([EphemeralSource(1.0, 0.0, 1.0)], 0.5).value == 0.0


def test_equal_sources_share_the_margin() -> None:
    found = relaxed_bound([TABLE_1[0]] * 5, 1.7)
    assert found.rates.tolist() == pytest.approx([0.34] * 5)
    assert found.value == pytest.approx(
        5.0 * relaxed_bound([TABLE_1[0]], 0.34).value, rel=1e-13
    )


def test_thirds_are_a_whole() -> None:
    """1/3 + 1/3 + 1/3 and the like: where the budget is met exactly, rounding must not divide by
    nothing.
    """
    for count in range(2, 40):
        found = relaxed_bound(
            [TABLE_1[0]] * count + [EphemeralSource(1.0, 1e-9, 0.5)], 1.0
        )
        assert found.rates.sum() == pytest.approx(1.0, rel=1e-12)
        assert found.value == pytest.approx(
            corners([TABLE_1[0]] * count, 1.0, most=60), rel=1e-9
        )
    one = EphemeralSource(1.0, 10.0, 1.0)
    odd = [
        EphemeralSource(1.0, 1.0, decay)
        for decay in (1.0, 1.333521432163324, 0.31622776601683794)
    ]
    assert (
        relaxed_bound([*odd, one, one, EphemeralSource(1.0, 0.1, 1.0)], 3.0).value > 0.0
    )


def test_slow_decay_is_no_trouble() -> None:
    slow = [EphemeralSource(1.0, 1.0, 1e-9), EphemeralSource(2.0, 1.0, 1e-10)]
    found = relaxed_bound(slow, 0.5)
    # everything is collected, long before it fades
    assert found.value == pytest.approx(3.0, rel=1e-7)
    assert found.rates.sum() == pytest.approx(0.5, rel=1e-12)


def test_a_hundred_thousand_sources() -> None:
    random = np.random.default_rng(2)
    count = 100_000
    many = Sources(
        random.uniform(1, 99, count),
        random.uniform(0, 1, count),
        10 ** random.uniform(-3, 1, count),
        random.uniform(0.5, 2.0, count),
    )
    found = relaxed_bound(many, 5_000.0)
    assert many.cost @ found.rates == pytest.approx(5_000.0, rel=1e-12)
    for price in found.price * np.array([0.98, 0.999, 1.001, 1.02]):
        ages = many.due_age(price)
        dual = price * 5_000.0 + float(
            ((many.content(ages) - price * many.cost) / ages).sum()
        )
        assert dual > found.value


@pytest.mark.parametrize("budget", [0.0, -1.0, math.nan, math.inf])
def test_impossible_budgets_are_refused(budget: float) -> None:
    with pytest.raises(BadNumber, match="budget"):
        relaxed_bound(TABLE_1, budget)
