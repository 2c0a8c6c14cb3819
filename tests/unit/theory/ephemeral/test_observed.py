"""The index of contents that are seen, against closed forms, value iteration, other
grids and play.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.arrivals import SlotLaw, Utilities
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.observed import (
    ObservedIndex,
    _kernels,
    _waiting,
    observed_bound,
)
from trapline.theory.ephemeral.slot_formulas import Floats
from trapline.theory.ephemeral.source import EphemeralSource

LOW = EphemeralSource(2.0, 1.0, 0.35)
LAWS: list[Utilities] = [
    None,
    "exponential",
    {0.5: 0.5, 1.5: 0.5},
    {0.0: 0.5, 2.0: 0.5},
]


@cache
def index(
    arrival_rate: float, utility: float = 1.0, decay: float = 0.35, cost: float = 1.0
) -> ObservedIndex:
    return ObservedIndex(EphemeralSource(arrival_rate, utility, decay, cost))


def drawn(
    source: EphemeralSource,
    utilities: Utilities,
    size: int,
    random: np.random.Generator,
) -> Floats:
    """U, arrival by arrival."""
    counts = random.poisson(source.arrival_rate * source.period, size)
    total = np.zeros(size)
    for arrival in range(counts.max(initial=0)):
        if utilities is None:
            utility: Any = source.utility
        elif utilities == "exponential":
            utility = random.exponential(source.utility, size)
        else:
            assert not isinstance(utilities, str)
            utility = random.choice(list(utilities), size, p=list(utilities.values()))
        total += (
            (counts > arrival)
            * utility
            * np.exp(-source.decay * source.period * random.random(size))
        )
    return total


# what a slot brings


@pytest.mark.parametrize("utilities", LAWS, ids=str)
def test_the_law_of_a_slot_is_that_of_its_arrivals(utilities: Utilities) -> None:
    law = SlotLaw.of(LOW, utilities, step=0.005, reach=60.0)
    points = np.array([-1.0, 0.0, 1e-9, 0.3, 0.8, 1.5, 3.0, 6.0])
    excess, tail = law.at(points)
    sample = drawn(LOW, utilities, 400_000, np.random.default_rng(1))
    assert excess == pytest.approx(
        [np.maximum(0.0, sample - z).mean() for z in points], abs=0.01
    )
    assert tail == pytest.approx([(sample >= z).mean() for z in points], abs=0.004)
    assert excess[1] == pytest.approx(LOW.gain, rel=2e-6)
    nothing = (
        math.exp(-1.0)
        if isinstance(utilities, dict) and 0.0 in utilities
        else math.exp(-2.0)
    )
    assert tail[1:3] == pytest.approx([1.0, 1.0 - nothing], rel=1e-6)


def test_one_arrival_at_most_is_known_exactly() -> None:
    rare = EphemeralSource(1e-6, 1.0, 0.5)
    points = np.array([0.2, 0.7, 0.9])
    excess, tail = SlotLaw.of(rare, None, step=1e-4, reach=5.0).at(points)
    inside = np.clip(points, math.exp(-0.5), 1.0)
    assert tail * 1e6 == pytest.approx(-np.log(inside) / 0.5, rel=1e-5)
    exact = (1.0 - inside + inside * np.log(inside)) / 0.5 + inside - points
    assert excess[1:] * 1e6 == pytest.approx(exact[1:], rel=1e-4)


# prices


@pytest.mark.parametrize("rate", [1e-6, 0.01, 0.5, 2.0, 7.0])
@pytest.mark.parametrize("cost", [1.0, 2.5])
def test_contents_less_than_any_arrival_have_a_known_price(
    rate: float, cost: float
) -> None:
    """Below ξ·a any arrival leads to a visit, and γ(x) = x·(1−a)/(1−a·e^(−ΛT))/C."""
    slope = -math.expm1(-0.35) / -math.expm1(-0.35 - rate) / cost
    for content in (0.0, 0.1, 0.4, 0.65):
        assert index(rate, cost=cost).price_at(content) == pytest.approx(
            slope * content, rel=5e-6
        )


def test_one_factorisation_solves_the_equations_of_all_thresholds() -> None:
    grid = np.linspace(0.0, 15.0, 71)
    below, border = _kernels(LOW, None, grid)
    at_0, at_border = _waiting(below, border, grid)
    for n in range(1, 71):
        chances = np.column_stack((below[: n + 1, :n], border[: n + 1, n]))
        sides = np.column_stack((np.ones(n + 1), grid[: n + 1]))
        solved = np.linalg.solve(np.eye(n + 1) - chances, sides)
        assert at_0[:, n] == pytest.approx(solved[0], rel=1e-7)
        assert at_border[:, n] == pytest.approx(solved[n], rel=1e-7)


def by_value_iteration(
    source: EphemeralSource, price: float, points: int = 500
) -> tuple[float, float]:
    """Reward a slot and the content at which waiting and visiting are equal, with a sampled U: h =
    max(…).
    """
    random = np.random.default_rng(7)
    sample = (
        np.sort(drawn(source, None, 1_000_000, random)).reshape(400, -1).mean(axis=1)
    )
    grid = np.linspace(0.0, source.ceiling * 4.0, points)
    after = source.survival * grid[:, None] + sample
    h = np.zeros(points)
    for _ in range(250):
        waiting = np.interp(after.ravel(), grid, h).reshape(after.shape).mean(axis=1)
        best = np.maximum(waiting, grid - price * source.cost + waiting[0])
        earned = float(best[0] - h[0])
        h = best - best[0]
    gain = grid - price * source.cost + waiting[0] - waiting
    return earned, float(np.interp(0.0, gain, grid))


@pytest.mark.parametrize("price", [0.5, 3.0])
def test_value_iteration_finds_the_same_threshold_and_reward(price: float) -> None:
    earned, threshold = by_value_iteration(LOW, price)
    assert index(2.0).price_at(threshold) == pytest.approx(price, rel=0.01)
    assert index(2.0).value(price) == pytest.approx(earned, rel=0.005)


@pytest.mark.parametrize("utilities", LAWS, ids=str)
def test_a_finer_grid_changes_little(utilities: Utilities) -> None:
    coarse, usual, fine = (
        ObservedIndex(LOW, utilities, points) for points in (150, 300, 600)
    )
    contents = np.linspace(0.0, 2.0 * LOW.ceiling, 50)
    error = np.abs(usual.price_at(contents) - fine.price_at(contents)).max()
    assert error < 1e-4 * LOW.ceiling
    assert (
        error < 0.5 * np.abs(coarse.price_at(contents) - usual.price_at(contents)).max()
    )
    for price in (0.1, 1.0, 4.0, 7.0):
        assert usual.value(price) == pytest.approx(
            fine.value(price), abs=1e-4 * LOW.gain
        )


@pytest.mark.parametrize(
    ("rate", "decay"),
    [(0.001, 0.35), (0.05, 0.01), (0.05, 2.0), (2.0, 40.0), (250.0, 0.21)],
)
def test_prices_rise_with_the_content_to_all_of_it(rate: float, decay: float) -> None:
    table = index(rate, decay=decay).table
    assert (np.diff(table.prices) > 0.0).all()
    assert (np.diff(table.rates) <= 1e-12).all()
    assert (table.prices <= table.contents * (1.0 + 1e-9)).all()
    assert table.prices[-1] > 0.98 * table.contents[-1]
    last = table.contents[-1]
    assert index(rate, decay=decay).price_at(last + 5.0) == pytest.approx(
        table.prices[-1] + 5.0, rel=1e-12
    )


def test_with_many_arrivals_it_is_the_mean_state_formula() -> None:
    apart = []
    for rate in (2.0, 20.0, 200.0, 2000.0):
        source = EphemeralSource(rate, 1.0, 1.0)
        contents = np.linspace(0.0, 1.3 * source.ceiling, 200)
        difference = np.abs(
            index(rate, decay=1.0).price_at(contents) - source.price_at(contents)
        )
        apart.append(float(difference.max() / source.ceiling))
    assert apart[0] > 0.1
    assert all(later < 0.7 * earlier for earlier, later in pairwise(apart))
    assert apart[-1] < 0.025


def test_a_visit_that_costs_more_has_a_price_that_is_less() -> None:
    contents = np.array([0.5, 3.0, 9.0])
    assert index(2.0, cost=4.0).price_at(contents) == pytest.approx(
        index(2.0).price_at(contents) / 4.0, rel=1e-12
    )
    assert index(2.0, cost=4.0).value(0.5) == pytest.approx(
        index(2.0).value(2.0), rel=1e-9
    )


def test_units_do_not_matter() -> None:
    thrice = ObservedIndex(EphemeralSource(2.0, 3.0, 0.35))
    assert thrice.price_at(9.0) == pytest.approx(
        3.0 * index(2.0).price_at(3.0), rel=1e-9
    )
    seconds = ObservedIndex(EphemeralSource(2.0 / 60.0, 1.0, 0.35 / 60.0, period=60.0))
    assert seconds.price_at(3.0) == pytest.approx(index(2.0).price_at(3.0), rel=1e-9)


def test_arrays_in_arrays_out() -> None:
    found = index(2.0).price_at(np.array([[0.5, 3.0], [5.04, 100.0]]))
    assert found.shape == (2, 2) and found[1, 0] == index(2.0).price_at(5.04)
    assert isinstance(index(2.0).price_at(1.0), float)


# what a source earns at a price, and all of them


def test_the_value_falls_from_everything_at_the_rate_of_visits() -> None:
    source = index(2.0)
    assert source.value(0.0) == pytest.approx(LOW.gain, rel=1e-12)
    assert source.rate(0.0) == pytest.approx(1.0 - math.exp(-2.0), rel=1e-12)
    prices = np.linspace(0.01, 12.0, 100)
    values = np.array([source.value(price) for price in prices])
    assert (np.diff(values) < 0.0).all() and (np.diff(values, 2) > -1e-9).all()
    for price in (0.3, 2.0, 5.0):
        slope = (source.value(price + 1e-3) - source.value(price - 1e-3)) / 2e-3
        assert -slope == pytest.approx(source.rate(price), rel=1e-3)
    assert source.value(1e6) == source.rate(1e6) == 0.0


def play(
    sources: list[EphemeralSource],
    count: int,
    prices: list[Callable[[Any], Any]],
    slots: int,
    seed: int,
) -> float:
    """Reward a slot of visiting the top `count`, contents being seen: 50 plays side by side."""
    random = np.random.default_rng(seed)
    total = 0.0
    contents = np.zeros((50, len(sources)))
    row = np.arange(50)[:, None]
    for slot in range(100 + slots):
        brought = [drawn(source, None, 50, random) for source in sources]
        contents = contents * [source.survival for source in sources] + np.column_stack(
            brought
        )
        offers = np.column_stack(
            [price(contents[:, i]) for i, price in enumerate(prices)]
        )
        top = np.argsort(-offers, axis=1)[:, :count]
        total += contents[row, top].sum() if slot >= 100 else 0.0
        contents[row, top] = 0.0
    return total / (50 * slots)


FEW = [
    EphemeralSource(*numbers)
    for numbers in (
        (2.0, 1.0, 0.35),
        (0.2, 2.0, 0.1),
        (0.1, 5.0, 0.05),
        (1.0, 0.5, 0.7),
    )
]


def test_seeing_is_worth_more_than_the_mean_state_bound_and_less_than_the_observed_one() -> (
    None
):
    sources = FEW * 3
    indices = {source: ObservedIndex(source) for source in FEW}
    bound = observed_bound([indices[source] for source in sources], 2.0)
    earned = play(
        sources, 2, [indices[source].price_at for source in sources], slots=300, seed=3
    )
    assert 1.1 * relaxed_bound(sources, 2.0).value < earned < bound.value
    assert earned > 0.95 * bound.value


def test_the_bound_of_many_arrivals_is_the_mean_state_bound() -> None:
    many = [EphemeralSource(2000.0, 1.0, 0.7), EphemeralSource(2000.0, 0.7, 0.9)]
    seen = observed_bound(many, 1.0)
    mean = relaxed_bound(many, 1.0)
    assert mean.value < seen.value < 1.02 * mean.value


def test_the_bound_spends_the_budget_where_it_has_a_price() -> None:
    indices = [ObservedIndex(source) for source in FEW]
    for budget in (0.1, 0.5, 1.0):
        found = observed_bound(indices, budget)
        assert found.rates.sum() == pytest.approx(budget, rel=1e-6)
        assert found.price > 0.0
    # more than the sources that hold anything at all
    rich = observed_bound(indices, 3.0)
    assert rich.price == 0.0 and rich.value == pytest.approx(
        sum(source.gain for source in FEW), rel=1e-12
    )
    assert rich.rates == pytest.approx(
        [1.0 - math.exp(-source.arrival_rate) for source in FEW], rel=1e-12
    )


def test_equal_sources_are_worked_out_once_and_count_each() -> None:
    assert observed_bound([LOW] * 10, 3.0).value == pytest.approx(
        10.0 * observed_bound([LOW], 0.3).value, rel=1e-9
    )


# what is refused


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(BadNumber, match="utility"):
        ObservedIndex(EphemeralSource(1.0, 0.0, 1.0))
    with pytest.raises(BadNumber, match="points"):
        ObservedIndex(LOW, points=3)
    with pytest.raises(BadNumber, match="content"):
        index(2.0).price_at([-1.0])
    with pytest.raises(BadNumber, match="fewer never meet"):
        ObservedIndex(EphemeralSource(1e-7, 1.0, 0.35))
    with pytest.raises(BadNumber, match="hardly random"):
        ObservedIndex(EphemeralSource(1e6, 1.0, 0.35)).price_at(1.0)
    for budget in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(BadNumber, match="budget"):
            observed_bound([LOW], budget)
    with pytest.raises(BadNumber, match="number of sources"):
        observed_bound([], 1.0)


@pytest.mark.parametrize(
    ("law", "problem"),
    [
        ({1.0: 0.5}, "sum of the prob"),
        ({2.0: 1.0}, "mean of the"),
        ({-1.0: 0.5, 3.0: 0.5}, "at least 0"),
        ("normal", "law"),
    ],
)
def test_impossible_laws_are_refused(law: Any, problem: str) -> None:
    with pytest.raises(BadNumber, match=problem):
        ObservedIndex(LOW, law)
