"""The tail of the Gamma law and where it begins: so that a robot and a broker need no SciPy.

Q(a, x) is the chance that a Gamma variable of shape a is above x: by the series of 1 − Q where x is
below a + 1, by its continued fraction (with Lentz's method) above. Both lose digits with a·log a
only: ten are left at a = 10⁵.

>>> round(gamma_above(4.0, 7.75), 4), round(gamma_threshold(4.0, 0.05), 4)
(0.0501, 7.7537)
"""

from __future__ import annotations

import math
import sys
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_CLOSE: Final = 1e-16
_TINY: Final = 1e-300
_MOST_STEPS: Final = 200
_LEAST_LOG: Final = math.log(sys.float_info.min)


def gamma_above(shape: float, x: float) -> float:
    """Q(a, x), a > 0, x ≥ 0."""
    if x <= 0.0:
        return 1.0
    if math.isinf(x):
        return 0.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1.0:
        return 1.0 - front * _series(shape, x)
    return front * _fraction(shape, x)


def gamma_tails(shapes: Floats, x: Floats) -> Floats:
    """Q(a, x) of each pair."""
    return np.array([*map(gamma_above, shapes.tolist(), x.tolist())])


def gamma_threshold(shape: float, chance: float) -> float:
    """The x with Q(a, x) = chance, by Newton's method in log x, kept between bounds."""
    low = _LEAST_LOG
    high = math.log(shape + 800.0 + 50.0 * math.sqrt(shape))
    if gamma_above(shape, math.exp(low)) <= chance:
        return 0.0
    place = min(max(math.log(shape), low), high)
    for _ in range(_MOST_STEPS):
        x = math.exp(place)
        miss = gamma_above(shape, x) - chance
        low, high = (place, high) if miss > 0.0 else (low, place)
        slope = math.exp(shape * place - x - math.lgamma(shape))
        step = place + miss / slope if slope > 0.0 else low
        after = step if low < step < high else 0.5 * (low + high)
        if abs(after - place) <= _CLOSE * max(1.0, abs(place)):
            break
        place = after
    return math.exp(place)


def _series(shape: float, x: float) -> float:
    """Σ xⁿ/(a·(a+1)···(a+n))."""
    term = total = 1.0 / shape
    while term > _CLOSE * total:
        shape += 1.0
        term *= x / shape
        total += term
    return total


def _fraction(shape: float, x: float) -> float:
    """1/(x+1−a − 1·(1−a)/(x+3−a − 2·(2−a)/(x+5−a − …)))."""
    base = x + 1.0 - shape
    above = 1.0 / _TINY
    below = 1.0 / base
    total = below
    step = 0.0
    change = 0.0
    while abs(change - 1.0) > 2.0 * sys.float_info.epsilon:
        step += 1.0
        factor = step * (shape - step)
        base += 2.0
        below = 1.0 / _nonzero(factor * below + base)
        above = _nonzero(base + factor / above)
        change = below * above
        total *= change
    return total


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
