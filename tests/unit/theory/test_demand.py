"""Demand makes pages worth more: never less, never beyond the bound, the more the later."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.theory.demand import HALF_LIFE_D, MOST, demand_factor, fade

COUNTS = st.floats(0.0, 1e18)


@given(COUNTS, COUNTS, st.floats(0.0, 16.0))
def test_a_factor_is_bounded_whatever_is_counted(
    shown: float, opened: float, gain: float
) -> None:
    factor = demand_factor(shown, opened, gain)
    assert 1.0 <= factor <= MOST
    assert demand_factor(2.0 * shown, opened, gain) >= factor
    assert demand_factor(shown, 2.0 * opened, gain) >= factor


def test_who_turns_demand_off_gets_one() -> None:
    assert demand_factor(1e9, 1e9, gain=0.0) == 1.0


def test_opening_says_more_than_showing() -> None:
    assert demand_factor(0, 10) > demand_factor(10, 0) > 1.0


def test_a_reader_more_counts_less_than_the_one_before() -> None:
    steps = [
        demand_factor(0, times + 1) - demand_factor(0, times) for times in range(9)
    ]
    assert steps == sorted(steps, reverse=True)


@pytest.mark.parametrize("halves", [0, 1, 2, 4])
def test_counts_halve(halves: int) -> None:
    assert math.isclose(fade(halves * HALF_LIFE_D), 0.5**halves)
