"""The M/M/1/K queue against fractions: the paper's own derivative (6), its limits, and the queue of
one place.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from trapline.theory.queueing.static import best_load, empty_and_full, endless_cost

WEIGHTS = [1e-6, 0.01, 0.4, 1.0, 1.13, 2.4, 50.0, 1e6]


@pytest.mark.parametrize("load", [1e-6, 0.5, 0.999, 1.0, 1.001, 2.0, 50.0])
@pytest.mark.parametrize("capacity", [1, 2, 5, 100])
def test_empty_and_full_are_the_ends_of_a_geometric_law(
    load: float, capacity: int
) -> None:
    powers = [Fraction(load) ** i for i in range(capacity + 1)]
    empty, full = empty_and_full(load, capacity)
    assert empty == pytest.approx(float(powers[0] / sum(powers)), rel=1e-13, abs=1e-300)
    assert full == pytest.approx(float(powers[-1] / sum(powers)), rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("capacity", [1, 2, 5, 15, 60])
def test_the_papers_derivative_changes_sign_at_the_best_load(
    capacity: int, weight: float
) -> None:
    def slope(load: float) -> Fraction:
        """R(ρ, γ, K) of (6), μ = 1: the sign of dC/dρ wherever ρ ≠ 1."""
        rho = Fraction(load)
        gamma = Fraction(weight)
        k = capacity
        return (
            rho ** (2 * (k + 1))
            - (gamma * k + k + 2) * rho ** (k + 1)
            + (k + 1) * (1 + gamma) * rho**k
            - gamma
        )

    best = best_load(capacity, weight)
    assert slope(best * (1.0 - 1e-9)) < 0 < slope(best * (1.0 + 1e-9))


@pytest.mark.parametrize("weight", WEIGHTS)
def test_with_one_place_the_best_load_is_known(weight: float) -> None:
    # (γ + ρ²)/(1 + ρ) is least where ρ² + 2ρ = γ; written without the difference of near equals.
    assert best_load(1, weight) == pytest.approx(
        weight / (math.sqrt(1.0 + weight) + 1.0), rel=1e-12
    )


@pytest.mark.parametrize("load", [0.2, 0.9, 1.0, 1.1, 5.0])
def test_a_long_queue_costs_what_an_endless_one_does(load: float) -> None:
    empty, full = empty_and_full(load, 20_000)
    assert 1.3 * empty + 0.7 * load * full == pytest.approx(
        endless_cost(load, 1.3, 0.7), abs=2e-4
    )


def test_an_endless_queue_at_load_1_neither_starves_nor_loses() -> None:
    assert endless_cost(1.0, 1.3, 0.7) == 0.0
