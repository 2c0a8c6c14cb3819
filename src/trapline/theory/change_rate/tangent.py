"""The price of a visit averaged over a posterior on a grid of rates, and an offer that touches its
curve.

With weights w_i on rates D_i the price at age t is V(t) = Σ w_i·φ(D_i·t) for detections, Σ
w_i·φ(D_i·t)/D_i for freshness (theory/price.py). A card holds worth·(u/(1+u))², u = rate·t, which
is the offer of shape 1. Whatever the posterior, one such curve has the value *and* the slope of V
at a given age: with V's elasticity e = t·V'/V, which lies between 0 and 2,

    u = 2/e − 1,   rate = u/t,   worth = V(t)·((1+u)/u)².

Touching where V reaches the market price makes the page due at the right time and dear by the right
amount around it, also where the posterior spans many decades, which no single Gamma fits. As the
market price moves, offers are to be written anew, or one that was fitted at a low price ends below
the new one for ever.

>>> import numpy as np
>>> rates, weights = np.array([0.5]), np.array([1.0])
>>> worth, rate = touching(rates, weights, 0.3, 1.0, False)
>>> age = age_at_price(rates, weights, 0.3, 1.0, False)
>>> u = rate * age
>>> round(worth * (u / (1.0 + u)) ** 2, 2), round(posterior_price(rates, weights, age, False)[0], 2)
(0.3, 0.3)
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel
from trapline.theory.price import bracket

Floats = NDArray[np.float64]

_NOTHING: Final = 1e-6  # weights that do not matter
_CLOSE: Final = 0.01  # to the price wanted, relative: for an age,
_NEAR: Final = 0.05  # and for an offer, which is exact where it touches


@bare_kernel
def posterior_price(
    rates: Floats, weights: Floats, age: float, freshness: bool
) -> tuple[float, float]:
    """V at an age, for importance 1, and its elasticity t·V'/V."""
    price = 0.0
    slope = 0.0
    for i in range(len(rates)):
        if weights[i] > _NOTHING:
            y = rates[i] * age
            left = math.exp(-y)
            worth = weights[i] / rates[i] if freshness else weights[i]
            price += worth * (
                1.0 - (1.0 + y) * left if y > 0.02 else bracket(y, math.inf)
            )
            slope += worth * y * y * left
    return price, slope / price if price > 0.0 else 2.0


@bare_kernel
def age_at_price(
    rates: Floats, weights: Floats, price: float, guess: float, freshness: bool
) -> float:
    """The age at which V reaches the price, to within a hundredth of it; where it never does, one
    at which V is flat.

    `rates` fall from the first to the last.
    """
    return _reach(rates, weights, price, guess, freshness, _CLOSE)[0]


@bare_kernel
def _reach(
    rates: Floats,
    weights: Floats,
    price: float,
    guess: float,
    freshness: bool,
    close: float,
) -> tuple[float, float, float]:
    """(age, V, elasticity) about where V reaches the price."""
    low = math.log(1e-3 / rates[0])
    high = math.log(30.0 / rates[-1])
    x = min(max(math.log(guess), low), high)
    found = 0.0
    elasticity = 2.0
    for _ in range(60):
        found, elasticity = posterior_price(rates, weights, math.exp(x), freshness)
        off = math.log(max(found, 1e-300) / price)
        if abs(off) < close or high - low < close:
            break
        if off > 0.0:
            high = x
        else:
            low = x
        step = x - off / max(elasticity, 1e-9)
        x = step if low < step < high else 0.5 * (low + high)
    return math.exp(x), found, elasticity


@bare_kernel
def touching(
    rates: Floats, weights: Floats, price: float, guess: float, freshness: bool
) -> tuple[float, float]:
    """Worth and rate of the offer of shape 1 that touches V where it reaches `price`; `guess` is
    about that age.
    """
    age, found, elasticity = _reach(rates, weights, price, guess, freshness, _NEAR)
    return _curve(age, found, elasticity)


@bare_kernel
def touching_at(
    rates: Floats, weights: Floats, age: float, freshness: bool
) -> tuple[float, float]:
    """Worth and rate of the offer of shape 1 that touches V at an age."""
    found, elasticity = posterior_price(rates, weights, age, freshness)
    return _curve(age, found, elasticity)


@bare_kernel
def _curve(age: float, found: float, elasticity: float) -> tuple[float, float]:
    u = 2.0 / min(max(elasticity, 1e-6), 1.999) - 1.0
    return found * ((1.0 + u) / u) ** 2, u / age
