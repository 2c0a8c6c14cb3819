"""How far behind the copies are (Cho & Garcia-Molina 2003): the age of pages, and the rates that
keep it least.

A copy's age is 0 while it is fresh, then the time since the page's first change after the visit.
With Poisson changes of rate D the age expected t after a visit is t − (1 − e^(−Dt))/D, so that a
page visited every 1/f is of age

    A(f) = (1/f)·[1/2 − 1/y + (1 − e^(−y))/y²],   y = D/f,

on the average. With H(t) = ∫ age, what a gap of t costs, the price of a visit is V(t) = t·H'(t) −
H(t) = −dA/df at f = 1/t:

    V(t) = (w/D²)·[y²/2 − φ(y)],   y = D·t,   φ(y) = 1 − (1+y)·e^(−y), the bracket of price.py.

It has no ceiling: a page is worth a visit at any price in the end. So every page of some weight is
visited, unlike for freshness; the best rates have V = λ for all, and Σf = budget.

>>> round(page_age(rate=1.0, frequency=0.5), 4)
0.4323
>>> best = best_age_rates([0.1, 1.0, 10.0], budget=3.0)
>>> best.round(4).tolist(), round(age_total([0.1, 1.0, 10.0], best), 4)
([0.5176, 1.0196, 1.4627], 0.4434)
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.polynomial.polynomial import polyval
from numpy.typing import ArrayLike

from trapline.core.errors import check_rate
from trapline.theory.argument_checks import (
    Floats,
    at_least_0,
    one_each,
    positive,
    several,
    weights_of,
)
from trapline.theory.ephemeral.slot_formulas import in_blocks
from trapline.theory.market import market_price

# Below y = 1 the closed forms lose digits; their series do not.
# [1/2 − 1/y + (1 − e^(−y))/y²]/y
_AGE: Final = [(-1.0) ** n / math.factorial(n + 3) for n in range(18)]
# [y²/2 − φ(y)]/y³
_PRICE: Final = [(-1.0) ** n * (n + 2) / math.factorial(n + 3) for n in range(18)]


def page_age(rate: ArrayLike, frequency: ArrayLike) -> Any:
    """A(f), the age on the average of a page of change rate D = `rate`; ∞ if it is
    never visited.
    """
    often = at_least_0("a frequency", frequency)
    with np.errstate(divide="ignore", over="ignore"):
        gap = 1.0 / often
    y = np.atleast_1d(positive("a change rate", rate) * gap)
    far = np.maximum(y, 1.0)
    share = np.where(
        y < 1.0,
        y * polyval(np.minimum(y, 1.0), _AGE),
        0.5 - 1.0 / far - np.expm1(-far) / far / far,
    )
    found = gap * share
    return found.item() if np.ndim(rate) == np.ndim(frequency) == 0 else found


def age_total(
    rates: ArrayLike, frequencies: ArrayLike, weights: ArrayLike | None = None
) -> float:
    """Σ weight × age of pages visited so often."""
    change = several("pages", positive("a change rate", rates), least=1)
    often = one_each("frequencies", at_least_0("a frequency", frequencies), change.size)
    weight = weights_of(weights, change.size)
    counts = weight > 0.0
    return float(weight[counts] @ page_age(change[counts], often[counts]))


def best_age_rates(
    rates: ArrayLike, budget: float, weights: ArrayLike | None = None
) -> Floats:
    """Visits a unit of time of each page, Σ = budget, with the least Σ weight × age; none for pages
    of weight 0.
    """
    change = several("pages", positive("a change rate", rates), least=1)
    check_rate("the budget", budget, "visits a unit of time")
    weight = weights_of(weights, change.size)
    wanted = np.flatnonzero(weight)
    rate = change[wanted]
    scale = weight[wanted] / change[wanted] ** 2

    def rates_at(price: float) -> Floats:
        return in_blocks(_visits, np.array([price]), rate, scale)

    even = scale * _bracket(rate * (wanted.size / budget))
    price, _ = market_price(
        lambda at: float(rates_at(at).sum()),
        budget,
        float(even.min()),
        float(even.max()),
    )
    best = np.zeros(change.size)
    found = rates_at(price)
    best[wanted] = found * (budget / found.sum())
    return best


def _visits(price: Floats, rate: Floats, scale: Floats) -> Floats:
    """f = 1/V⁻¹(price)."""
    return rate / _inverse(price / scale)


def _bracket(y: Floats) -> Floats:
    """ψ(y) = y²/2 − φ(y); ψ' = y·(1 − e^(−y))."""
    found: Floats = 0.5 * y * y - 1.0 + (1.0 + y) * np.exp(-y)
    small = np.flatnonzero(y < 1.0)
    found[small] = y[small] ** 3 * polyval(y[small], _PRICE)
    return found


def _inverse(value: Floats) -> Floats:
    """The y at which ψ reaches `value`: Newton's method for log ψ over log y, whose slope is
    between 2 and 3.

    ψ is y³/3 for small y and y²/2 for great ones; both together begin within 6 %, and three steps
    are exact.
    """
    y: Floats = np.cbrt(3.0 * value + (2.0 * value) ** 1.5)
    for _ in range(3):
        found = _bracket(y)
        y = y * np.exp(np.log(value / found) * found / (y * y * -np.expm1(-y)))
    return y
