"""Demand makes pages worth more: never less, never beyond the bound, in proportion between."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.theory.demand import HALF_LIFE_D, MOST, asked_for, demand_factor, fade

COUNTS = st.floats(0.0, 1e18)


@given(COUNTS, COUNTS, st.floats(0.0, 16.0))
def test_a_factor_is_bounded_whatever_is_counted(
    asked: float, usual: float, gain: float
) -> None:
    factor = demand_factor(asked, usual, gain)
    assert 1.0 <= factor <= MOST
    assert demand_factor(2.0 * asked, usual, gain) >= factor
    assert demand_factor(asked, 2.0 * usual, gain) <= factor


def test_who_turns_demand_off_gets_one() -> None:
    assert demand_factor(1e9, 1.0, gain=0.0) == 1.0


def test_a_busy_engine_does_not_make_all_pages_equal() -> None:
    """A logarithm of the counts does."""
    assert demand_factor(1e6, usual=1e6) == pytest.approx(2.0, rel=1e-4)
    assert demand_factor(1e5, usual=1e6) == pytest.approx(1.1, rel=1e-4)


def test_a_few_counts_prove_little() -> None:
    assert demand_factor(1.0, usual=0.0) < 1.2
    assert demand_factor(24.0, usual=0.0) == MOST


def test_opening_says_more_than_showing() -> None:
    assert asked_for(0, 10) > asked_for(10, 0) > 0.0


@pytest.mark.parametrize("halves", [0, 1, 2, 4])
def test_counts_halve(halves: int) -> None:
    assert math.isclose(fade(halves * HALF_LIFE_D), 0.5**halves)
