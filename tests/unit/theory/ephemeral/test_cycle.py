"""The cycle of the index policy against the policy played out slot by slot."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import average_reward, long_run_reward
from trapline.theory.ephemeral.source import EphemeralSource

TABLE_1 = [
    EphemeralSource(250.0, *numbers)
    for numbers in ((1.0, 0.7), (0.7, 0.35), (0.2, 0.7), (0.08, 0.21))
]


def played(
    sources: list[EphemeralSource], count: int, slots: int, skip: int
) -> tuple[float, list[float]]:
    """The top `count` by price, of equal ones the first; contents by eqs. 2 and 3."""
    contents = [source.gain for source in sources]
    total = 0.0
    visits = [0] * len(sources)
    for slot in range(skip + slots):
        prices = [
            source.price_at(content)
            for source, content in zip(sources, contents, strict=True)
        ]
        top = sorted(range(len(sources)), key=lambda i: (-round(prices[i], 9), i))[
            :count
        ]
        for i, source in enumerate(sources):
            if i in top and slot >= skip:
                total += contents[i]
                visits[i] += 1
            contents[i] = source.gain + (
                0.0 if i in top else source.survival * contents[i]
            )
    return total / slots, [count / slots for count in visits]


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_the_cycle_is_what_playing_it_out_leads_to(budget: int) -> None:
    found = long_run_reward(TABLE_1, budget)
    value, rates = played(TABLE_1, budget, slots=found.period * 20, skip=200)
    assert found.value == pytest.approx(value, rel=1e-9)
    assert found.rates.tolist() == pytest.approx(rates)
    assert len(found.pattern) == found.period
    assert all(len(slot) == budget for slot in found.pattern)


def test_other_sources_too() -> None:
    random = np.random.default_rng(4)
    for _ in range(5):
        numbers = np.column_stack(
            (
                random.uniform(1, 9, 5),
                random.uniform(0, 1, 5),
                10 ** random.uniform(-1.5, 0, 5),
            )
        )
        sources = [EphemeralSource(*row) for row in numbers.tolist()]
        found = long_run_reward(sources, 2)
        value, rates = played(sources, 2, slots=found.period * 3, skip=300)
        assert found.value == pytest.approx(value, rel=1e-9)
        assert found.rates.tolist() == pytest.approx(rates)


def test_of_equal_sources_the_first_comes_first() -> None:
    found = long_run_reward([TABLE_1[0]] * 3, 1)
    assert found.period == 3
    assert found.pattern == ((0,), (1,), (2,))
    fours = {tuple(range(start, start + 4)) for start in range(0, 40, 4)}
    assert set(long_run_reward([TABLE_1[0]] * 40, 4).pattern) == fours


def test_a_source_that_sleeps_long_is_waited_for() -> None:
    """Its price passes the others' after thousands of slots only; a cycle found before would leave
    it out.
    """
    sources = [TABLE_1[0], EphemeralSource(0.001, 100.0, 1e-4)]
    found = long_run_reward(sources, 1)
    assert found.rates[1] > 0.0
    assert found.period > 300
    assert found.pattern.count((1,)) == 1
    # worth 80, and the first costs 90.5 at age 1
    weaker = [TABLE_1[0], EphemeralSource(0.001, 8.0, 1e-4)]
    assert long_run_reward(weaker, 1).pattern == ((0,),)


def test_budget_left_over_is_saved() -> None:
    for budget in (0.3, 0.5, 1.5, 2.25):
        found = long_run_reward(TABLE_1, budget)
        assert found.rates.sum() == pytest.approx(budget, rel=1e-12)
        assert found.value <= relaxed_bound(TABLE_1, budget).value * (1.0 + 1e-12)
        assert found.value > 0.99 * relaxed_bound(TABLE_1, budget).value


def saved_and_played(
    sources: list[EphemeralSource], budget: Fraction, slots: int
) -> list[tuple[int, ...]]:
    """The whole rule, with ages: what is visited in each slot."""
    ages = [1] * len(sources)
    purse = Fraction(0)
    visited = []
    costs = [Fraction(str(source.cost)) for source in sources]
    for _ in range(slots):
        purse = min(purse, max(budget, *costs)) + budget
        best = sorted(
            range(len(sources)), key=lambda i: (-sources[i].price(ages[i]), i)
        )
        taken: list[int] = []
        while best and costs[best[0]] <= purse:
            purse -= costs[best[0]]
            taken.append(best.pop(0))
        ages = [1 if i in taken else age + 1 for i, age in enumerate(ages)]
        visited.append(tuple(sorted(taken)))
    return visited


@pytest.mark.parametrize("budget", ["0.2", "0.75", "1", "2.5", "3.4"])
def test_dear_sources_are_saved_for(budget: str) -> None:
    sources = [
        EphemeralSource(900.0, 1.0, 0.2, cost=3.0),
        EphemeralSource(60.0, 1.0, 0.2, cost=0.5),
        EphemeralSource(200.0, 1.0, 0.3, cost=1.2),
    ]
    found = long_run_reward(sources, float(budget))
    assert found.rates @ [3.0, 0.5, 1.2] == pytest.approx(float(budget), rel=1e-12)
    assert found.value <= relaxed_bound(sources, float(budget)).value * (1.0 + 1e-12)
    visited = saved_and_played(
        sources, Fraction(budget), slots=1000 + 2 * found.period
    )[1000:]
    turns = [
        tuple(visited[start : start + found.period]) for start in range(found.period)
    ]
    assert found.pattern in turns


def test_tenths_add_up() -> None:
    """0.1 + 0.2 is not 0.3 among floats; the purse counts exactly."""
    assert long_run_reward([TABLE_1[0]], 0.1).period == 10
    assert long_run_reward([EphemeralSource(1.0, 1.0, 1.0, cost=0.3)], 0.1).period == 3


def test_a_budget_for_everything_visits_everything() -> None:
    for budget in (4, 4.5, 1000):
        found = long_run_reward(TABLE_1, budget)
        assert found.pattern == ((0, 1, 2, 3),)
        assert found.value == pytest.approx(
            sum(source.gain for source in TABLE_1), rel=1e-14
        )


def test_sources_without_utility_are_left_alone() -> None:
    found = long_run_reward([EphemeralSource(1.0, 0.0, 1.0), TABLE_1[0]], 2)
    assert found.pattern == ((1,),)
    assert long_run_reward([EphemeralSource(1.0, 0.0, 1.0)], 1).value == 0.0


def test_the_average_over_many_slots_is_that_of_the_cycle() -> None:
    assert average_reward(TABLE_1, 2, slots=70, skip=50) == pytest.approx(
        long_run_reward(TABLE_1, 2).value, rel=1e-12
    )
    with pytest.raises(BadNumber, match="slots"):
        average_reward(TABLE_1, 2, slots=0)


def test_no_cycle_within_the_slots_is_an_error() -> None:
    with pytest.raises(BadNumber, match="did not repeat itself"):
        long_run_reward(TABLE_1, 2, most_slots=6)


@pytest.mark.parametrize("budget", [0.0, -1.0, math.nan, math.inf])
def test_impossible_budgets_are_refused(budget: float) -> None:
    with pytest.raises(BadNumber, match="budget"):
        long_run_reward(TABLE_1, budget)
