"""The numbers of `whittle`: Table I under the index policy, its bounds, and what is wrong with
observed states.
"""

from __future__ import annotations

import pytest

from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import average_reward, long_run_reward
from trapline.theory.ephemeral.observed import ObservedIndex
from trapline.theory.ephemeral.source import EphemeralSource

TABLE_1 = [
    EphemeralSource(250.0, *numbers)
    for numbers in ((1.0, 0.7), (0.7, 0.35), (0.2, 0.7), (0.08, 0.21))
]
RATES = {
    1: (1 / 2, 1 / 2, 0.0, 0.0),
    2: (1.0, 4 / 7, 2 / 7, 1 / 7),
    3: (1.0, 1.0, 3 / 4, 1 / 4),
}


def test_only_source_1() -> None:
    """Printed: 179.79."""
    assert TABLE_1[0].gain == pytest.approx(179.79096, abs=1e-5)
    assert long_run_reward(TABLE_1[:1], 1).value == pytest.approx(179.79096, abs=1e-5)


@pytest.mark.parametrize(
    ("budget", "value", "period"),
    [(1, 260.38993, 2), (2, 337.774550, 7), (3, 372.410342, 4)],
)
def test_the_index_policy_in_the_long_run(
    budget: int, value: float, period: int
) -> None:
    found = long_run_reward(TABLE_1, budget)
    assert found.value == pytest.approx(value, abs=1e-5)
    assert found.period == period
    assert found.rates == pytest.approx(RATES[budget], abs=1e-15)


def test_with_two_visits_a_slot_the_pattern_is_that_of_figure_3() -> None:
    pattern = "".join(
        "".join(str(source + 1) for source in slot)
        for slot in long_run_reward(TABLE_1, 2).pattern
    )
    assert "13121412131212" in 2 * pattern


def test_the_printed_254_66_is_no_long_run_average() -> None:
    """It is between what 13 and what 15 slots earn from the moment when all sources have just been
    visited.
    """
    assert average_reward(TABLE_1, 1, slots=1000, skip=100) == pytest.approx(
        260.38993, abs=1e-5
    )
    assert (
        average_reward(TABLE_1, 1, slots=13)
        < 254.66
        < average_reward(TABLE_1, 1, slots=15)
    )


@pytest.mark.parametrize(
    ("budget", "value"), [(1, 260.389930), (2, 338.053940), (3, 372.410342)]
)
def test_no_policy_can_earn_more(budget: int, value: float) -> None:
    assert relaxed_bound(TABLE_1, budget).value == pytest.approx(value, abs=1e-5)
    assert long_run_reward(TABLE_1, budget).value <= value + 1e-5


def test_the_index_is_not_the_same_where_contents_are_seen() -> None:
    """Λ = 2, c = 0.35, x = 5.04: with constant utilities 3.461, with exponential ones 3.430; the
    formula says 3.827.
    """
    source = EphemeralSource(2.0, 1.0, 0.35)
    assert source.price_at(5.04) == pytest.approx(3.82731, abs=1e-5)
    assert ObservedIndex(source).price_at(5.04) == pytest.approx(3.4607, abs=3e-4)
    assert ObservedIndex(source, "exponential").price_at(5.04) == pytest.approx(
        3.4297, abs=3e-4
    )
