"""The formulas of `whittle` in slots, column by column: contents, prices by age and by state, and
how long to wait.

Theorem 1 on the states that occur is γ(k) = (x_k − k·u·a^k)/C with x_k = u*·(1 − a^k), a = e^(−d),
u = u*·(1−a), where d = μT is the fading of a slot. With y = k·d that is

    γ(k) = (u*/C)·B(y),
    B(y) = 1 − (1 + (1−q)·y)·e^(−y) = φ(y) + q·y·e^(−y),
    q = 1 − (1 − e^(−d))/d,

φ(y) = 1 − (1+y)·e^(−y) being the bracket of `theory/price.py`: slots only add the lag q, which is
0 for short ones. Both terms of the second form are positive; it keeps all digits however slow the
fading.

>>> fading = np.array([1e-9])
>>> round(slotted_bracket(fading, slot_lag(fading)).item() * 1e18, 12)  # one slot: exactly (1 − a)²
0.999999999
>>> slotted_bracket(np.array([1e-9, 0.7, np.inf]), slot_lag(np.array([0.7]))).round(6).tolist()
[0.0, 0.253426, 1.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# below it the closed forms lose digits, and a few terms of the series are exact
_SMALL: Final = 0.1
_FAR: Final = 800.0  # beyond it e^(−y) is 0, also for a source never visited (y = ∞)
_BLOCK: Final = 16_384  # so many numbers at once stay in the cache of the processor
# φ(y)/y²
_PHI: Final = [(-1.0) ** n * (n + 1) / math.factorial(n + 2) for n in range(10)]
_LAG: Final = [(-1.0) ** n / math.factorial(n + 2) for n in range(10)]  # q/d


def slot_lag(fading: Floats) -> Floats:
    """q = 1 − (1 − e^(−d))/d: d/2 for short slots, 1 for endless ones."""
    series = fading * _polynomial(_LAG, np.minimum(fading, _SMALL))
    return np.where(fading < _SMALL, series, 1.0 + np.expm1(-fading) / fading)


def slotted_bracket(y: Floats, lag: Floats) -> Floats:
    """B(y), from 0 at y = 0 to 1 at ∞, increasing; `lag` has the length of `y`, or 1."""
    y = np.minimum(y, _FAR)
    fade = np.exp(-y)
    found: Floats = 1.0 - (1.0 + (1.0 - lag) * y) * fade
    small = np.flatnonzero(y < _SMALL)
    if small.size:
        t = y[small]
        own = _part(lag, small)
        found[small] = t * (t * _polynomial(_PHI, t) + own * fade[small])
    return found


def inverse_bracket(value: Floats, lag: Floats) -> Floats:
    """The y at which B reaches `value`, in [0, 1): Newton's method on log(1 − B), which is concave.

    y' = y + q/(1−q) solves y' − log(1+y') = τ, τ = −log(1−value) + q/(1−q) + log(1−q): Lambert's
    W₋₁, of which √(2τ) + 2τ/3 is the beginning.

    >>> y, lag = np.array([1e-8, 0.3, 20.0]), slot_lag(np.array([1e-9]))
    >>> bool(np.allclose(inverse_bracket(slotted_bracket(y, lag), lag), y, rtol=1e-7))
    True
    """
    ratio = 1.0 - lag
    left = np.log1p(-value)
    begin = np.maximum(0.0, lag / ratio + np.log1p(-lag) - left)
    y: Floats = np.maximum(0.0, np.sqrt(2.0 * begin) + begin / 1.5 - lag / ratio)
    for _ in range(3):
        excess = np.log1p(ratio * y) - y - left
        small = np.flatnonzero(y < _SMALL)
        if small.size:
            wanted = value[small]
            excess[small] = np.log1p(
                (wanted - slotted_bracket(y[small], _part(lag, small))) / (1.0 - wanted)
            )
        y = np.maximum(0.0, y + excess * (1.0 + ratio * y) / (lag + ratio * y))
    return y


def content(age: Floats, ceiling: Floats, fading: Floats) -> Floats:
    """x_k = u*·(1 − a^k), eq. 13."""
    return ceiling * -np.expm1(-age * fading)


def age_price(age: Floats, worth: Floats, fading: Floats, lag: Floats) -> Floats:
    """γ(k) = (u*/C)·B(k·d)."""
    return worth * slotted_bracket(age * fading, lag)


def state_price(
    found: Floats, ceiling: Floats, cost: Floats, fading: Floats, lag: Floats
) -> Floats:
    """γ(x) = [η((1−a)x − u) + u*(1−a^η)]/C, η = max(1, ⌈log_a(1 − x/u*)⌉), and x/C from u* on.

    Computed as γ(k) + (k+1)(1−a)(x − x_k)/C from the last age k = η−1 before x, which keeps all
    digits. γ is continuous, and the greatest of its values over all whole η, so that a rounding of
    η does no harm.
    """
    over = found >= ceiling
    share = np.where(over, 0.0, found) / np.where(over, 1.0, ceiling)
    age = np.maximum(0.0, np.ceil(-np.log1p(-share) / fading) - 1.0)
    more = share + np.expm1(-age * fading)  # (x − x_k)/u*
    inside = ceiling * (
        slotted_bracket(age * fading, lag) - (age + 1.0) * np.expm1(-fading) * more
    )
    return np.where(over, found, inside) / cost


def due_age(price: Floats, worth: Floats, fading: Floats, lag: Floats) -> Floats:
    """The first whole k ≥ 1 with γ(k) ≥ price; ∞ if there is none."""
    reached = price < worth
    share = np.where(reached, price, 0.0) / np.where(reached, worth, 1.0)
    age = np.maximum(1.0, np.ceil(inverse_bracket(share, lag) / fading))
    # Newton's method may be off by one
    age -= (age > 1.0) & (age_price(age - 1.0, worth, fading, lag) >= price)
    age += age_price(age, worth, fading, lag) < price
    return np.where(reached, age, np.inf)


def in_blocks(formula: Callable[..., Floats], *columns: Floats) -> Floats:
    """A formula of columns, block by block: three times faster for a million sources than all at
    once.
    """
    shape = np.broadcast_shapes(*(column.shape for column in columns))
    if shape[0] <= _BLOCK:
        return formula(*columns)
    found = np.empty(shape)
    for start in range(0, shape[0], _BLOCK):
        part = slice(start, start + _BLOCK)
        found[part] = formula(*(_part(column, part) for column in columns))
    return found


def _part(column: Floats, part: slice | NDArray[np.intp]) -> Floats:
    return column[part] if column.size > 1 else column


def _polynomial(coefficients: list[float], t: Floats) -> Floats:
    found: Floats = np.full(t.shape, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        found *= t
        found += coefficient
    return found
