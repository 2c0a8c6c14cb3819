"""The exact knapsack: Lagrange's condition, against polling's own solution and against search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from trapline.core.errors import BadNumber
from trapline.theory.knapsack.equality_knapsack import Floats, best_mix, mix_value
from trapline.theory.polling.allocation import best_rates

FORMS: dict[str, Any] = {
    "exponential": lambda top, decay, x: top * np.exp(-decay * x),
    "hyperbolic": lambda top, decay, x: top / (1.0 + decay * x),
    "linear": lambda top, decay, x: top * np.maximum(0.0, 1.0 - decay * x),
    "steps": lambda top, decay, x: top * np.where(x < 0.4 / decay, 1.0, 0.5),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_no_move_between_two_materials_gains(form: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    top, decay = chance.uniform(0.1, 0.9, 6), chance.uniform(0.5, 8.0, 6)

    def unit_values(x: Floats) -> Floats:
        return np.asarray(FORMS[form](top, decay, x))

    mix = best_mix(unit_values, 6, 1.0)
    assert mix.amounts.sum() == pytest.approx(1.0)
    assert (mix.amounts >= 0.0).all()
    little = 1e-6
    more = unit_values(mix.amounts + little)
    less = unit_values(np.maximum(mix.amounts - little, 0.0))
    inside = mix.amounts > little
    assert more.max() <= less[inside].min() + 1e-4
    assert (unit_values(np.zeros(6))[~inside] <= mix.price + 1e-4).all()


def test_it_finds_what_a_search_finds() -> None:
    top, decay = np.array([0.9, 0.5, 0.3]), np.array([4.0, 1.0, 2.0])

    def unit_values(x: Floats) -> Floats:
        return top * np.exp(-decay * x)

    mix = best_mix(unit_values, 3, 2.0)
    full: Any = {"type": "eq", "fun": lambda x: x.sum() - 2.0}

    def lost(x: Floats) -> float:
        return -mix_value(unit_values, x)

    found = minimize(
        lost,
        np.full(3, 2.0 / 3.0),
        constraints=full,
        bounds=[(0.0, 2.0)] * 3,
    )
    assert mix.amounts == pytest.approx(found.x, abs=1e-3)
    assert mix.value == pytest.approx(-found.fun, abs=1e-7)
    assert mix.value == pytest.approx(
        float((top / decay * (1.0 - np.exp(-decay * mix.amounts))).sum())
    )


def test_polling_is_one_of_its_cases() -> None:
    """Equal weights: the derivative d_i(x_i) in place of the true one leads to the same rates."""
    chance = np.array([0.3, 0.1, 0.05, 0.01])

    def detections(x: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(np.log1p(-chance) / x))

    mix = best_mix(detections, 4, 1.0)
    assert mix.amounts == pytest.approx(best_rates(chance), abs=1e-9)


def test_constant_values_are_the_classical_greedy_knapsack() -> None:
    values = np.array([0.2, 0.9, 0.4, 0.4])
    there_is = np.array([1.0, 0.3, 0.2, 0.6])
    mix = best_mix(lambda x: values + 0.0 * x, 4, 1.0, there_is)
    assert mix.amounts[[0, 1]] == pytest.approx([0.0, 0.3])
    assert mix.amounts[2:].sum() == pytest.approx(0.7), "equals share the rest"
    assert mix.value == pytest.approx(0.3 * 0.9 + 0.7 * 0.4)


def test_worthless_material_fills_the_rest() -> None:
    mix = best_mix(lambda x: np.array([0.5, 0.0]) * (x < 0.25), 2, 1.0)
    assert mix.amounts.sum() == pytest.approx(1.0)
    assert mix.price == 0.0
    assert mix.value == pytest.approx(0.125, abs=0.01)
    nothing = best_mix(lambda x: 0.0 * x, 3, 1.0)
    assert nothing.amounts == pytest.approx(np.full(3, 1 / 3))


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: best_mix(lambda x: 1.0 - x, 2, 0.0), "the capacity is 0"),
        (lambda: best_mix(lambda x: x, 2, 1.0), "never rises"),
        (lambda: best_mix(lambda x: -1.0 - x, 2, 1.0), "a unit value is -1"),
        (lambda: best_mix(lambda x: 1.0 - x, 2, 1.0, [0.1, 0.2]), "is to be full"),
        (lambda: best_mix(lambda x: np.ones(3), 2, 1.0), "one for each page"),
    ],
)
def test_bad_arguments_are_named(call: Any, problem: str) -> None:
    with pytest.raises(BadNumber, match=problem):
        call()
