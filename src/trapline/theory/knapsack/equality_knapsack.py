"""The nonlinear equality fractional knapsack (paper `htraa`, 2.1 and Lemma 1): the best mix, where
a material is worth the less by volume the more of it there is.

    maximise Σ f_i(x_i),  f_i(x) = ∫₀ˣ p_i(u) du,  Σ x_i = c,  0 ≤ x_i ≤ b_i,  p_i never rising.

At the optimum the unit values of all materials that are in the knapsack at less than b_i have one
price λ. (Lemma 1 has them equal for all materials. That is so only where none is left out: one with
p_i(0) ≤ λ stays at 0.) What is asked for at a price, Σ p_i⁻¹(λ), falls with it, and the price at
which it is c is found by false position (theory/market.py). With constant unit values the classical
greedy rule comes out: the most valuable first, each up to b_i.

>>> def unit_value(x):  # of three materials at the amounts x
...     return np.array([0.9, 0.6, 0.1]) * np.exp(-2.0 * x)
>>> mix = best_mix(unit_value, materials=3, capacity=1.0)
>>> mix.amounts.round(4).tolist(), round(mix.price, 4), round(mix.value, 4)
([0.6014, 0.3986, 0.0], 0.2703, 0.4797)
>>> constant = np.array([0.2, 0.5, 0.3])
>>> best_mix(lambda x: constant + 0.0 * x, 3, 1.0, most=[1.0, 0.6, 0.3]).amounts.round(9).tolist()
[0.1, 0.6, 0.3]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.argument_checks import one_each, positive
from trapline.theory.market import market_price

Floats = NDArray[np.float64]
# p_i(x_i) of all materials at these amounts
UnitValues = Callable[[Floats], Floats]

_HALVINGS: Final = 60
_LEAST: Final = 1e-300  # below it nothing is asked for
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(64)


class Mix(NamedTuple):
    amounts: Floats
    price: float  # λ: what a little more room would be worth, by volume
    value: float  # Σ f_i(x_i)


def best_mix(
    unit_values: UnitValues,
    materials: int,
    capacity: float,
    most: ArrayLike | None = None,
) -> Mix:
    """The amounts that fill the knapsack and are worth the most; `most` there is of each."""
    check_count("the number of materials", materials, "they share the knapsack")
    check_rate("the capacity", capacity, "the volume to fill")
    there_is = _amounts_there_are(most, materials, capacity)
    at_0 = _check_values(unit_values(np.zeros(materials)), materials)
    at_most = _check_values(unit_values(there_is), materials)
    if (at_most > at_0 * (1.0 + 1e-9)).any():
        raise BadNumber("a unit value", at_most.max(), "one that never rises")
    if there_is.sum() <= capacity:
        return Mix(there_is, 0.0, mix_value(unit_values, there_is))
    if not at_0.max() > 0.0:
        amounts = there_is * (capacity / there_is.sum())
        return Mix(amounts, 0.0, 0.0)

    def demand(price: float) -> Floats:
        return _amounts_at(unit_values, price, there_is, at_0, at_most)

    top = math.nextafter(float(at_0.max()), math.inf)
    amounts, price = _clear(demand, capacity, top, there_is)
    return Mix(amounts, price, mix_value(unit_values, amounts))


def mix_value(unit_values: UnitValues, amounts: ArrayLike) -> float:
    """Σ f_i(x_i), by Gauss's rule of 64 points on each amount."""
    ends = np.asarray(amounts, np.float64)
    total = 0.0
    for point, weight in zip(_POINTS.tolist(), _WEIGHTS.tolist(), strict=True):
        at = 0.5 * (point + 1.0) * ends
        total += 0.5 * weight * float(np.asarray(unit_values(at)) @ ends)
    return total


def _clear(
    demand: Callable[[float], Floats], capacity: float, top: float, there_is: Floats
) -> tuple[Floats, float]:
    """The amounts at the price at which they fill the knapsack.

    Where what is asked for jumps, as with constant values, what is left is shared out.
    """
    if demand(_LEAST).sum() <= capacity:  # worthless material fills it up
        amounts = demand(_LEAST)
        rest = there_is - amounts
        return amounts + rest * ((capacity - amounts.sum()) / rest.sum()), 0.0
    low, high = market_price(
        lambda price: float(demand(price).sum()), capacity, 0.5 * top, top
    )
    more = demand(low)
    less = demand(high)
    jump = float((more - less).sum())
    share = (capacity - float(less.sum())) / jump if jump > 0.0 else 0.0
    return less + (more - less) * share, high


def _amounts_at(
    unit_values: UnitValues,
    price: float,
    there_is: Floats,
    at_0: Floats,
    at_most: Floats,
) -> Floats:
    """p⁻¹(price) of each material, by halving: the largest amount whose last bit is worth it."""
    low = np.zeros(len(there_is))
    high = there_is.copy()
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        worth_it = np.asarray(unit_values(middle)) >= price
        low = np.where(worth_it, middle, low)
        high = np.where(worth_it, high, middle)
    whole = np.where(at_most >= price, there_is, low)
    return np.where(at_0 >= price, whole, 0.0)


def _amounts_there_are(
    most: ArrayLike | None, materials: int, capacity: float
) -> Floats:
    if most is None:
        return np.full(materials, float(capacity))
    found = one_each("amounts", positive("an amount", most), materials)
    if not found.sum() >= capacity:
        wanted = f"at least the capacity, {capacity:g}: the knapsack is to be full"
        raise BadNumber("the sum of the amounts", float(found.sum()), wanted)
    return found


def _check_values(found: ArrayLike, materials: int) -> Floats:
    values = one_each("unit values", np.asarray(found, np.float64), materials)
    bad = ~(np.isfinite(values) & (values >= 0.0))
    if bad.any():
        raise BadNumber("a unit value", values[bad][0], "finite and at least 0")
    return values
