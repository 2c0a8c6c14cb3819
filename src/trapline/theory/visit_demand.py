"""How many visits a second an offer is worth at many prices, times their cost: C/V⁻¹ of each, in
one pass.

A page that is bought whenever its offer reaches a price is visited every V⁻¹(price) seconds. The
prices rise, so each search for V⁻¹ begins where the last one ended; a price that the offer never
reaches wants nothing.

>>> from trapline.core.cards import blank_cards
>>> from trapline.theory.price import visit_price
>>> cards = blank_cards(1)
>>> cards["base"], cards["worth"][0, 0], cards["rate"][0, 0] = 0.0, 2.0, 0.5
>>> prices = np.append(visit_price(np.array([1.0, 4.0]), rate=0.5, worth=2.0), 3.0)
>>> demand = np.zeros(3)
>>> ask_offer(cards, 0, prices, 1e-3, demand)
>>> demand.round(6).tolist()
[1.0, 0.25, 0.0]
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import TERMS, Cards
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import bracket, bracket_slope

Floats = NDArray[np.float64]

_NEAR: Final = 1e-4  # Newton's last step: what is left is its square
_STEPS: Final = 60


@bare_kernel
def ask_offer(
    cards: Cards, page: int, prices: Floats, least_s: float, demand: Floats
) -> None:
    """Add to `demand` what a held page wants at each of these rising prices, in units of cost.

    It is visited every `least_s` at most.
    """
    base = float(cards["base"][page])
    cost = cards["cost"][page]
    ceiling = base
    for term in range(TERMS):
        ceiling += cards["worth"][page, term]
    one_root = cards["worth"][page, 1] <= 0.0 and cards["shape"][page, 0] == 1.0
    age_s = 0.0
    before = 0.0
    for k in range(len(prices)):
        rise = prices[k] * cost - base
        if base + rise >= ceiling:
            return
        if rise > 0.0 and one_root:
            root = math.sqrt(rise / cards["worth"][page, 0])
            age_s = root / ((1.0 - root) * cards["rate"][page, 0])
        elif rise > 0.0:
            age_s = _next_age(cards, page, rise, age_s, before)
        before = max(rise, 0.0)
        demand[k] += cost / max(age_s, least_s)


@bare_kernel
def _next_age(
    cards: Cards, page: int, rise: float, low_s: float, before: float
) -> float:
    """The age at which the offer has risen so far; at `low_s` it had risen by `before`."""
    high_s = math.inf
    young = before <= 0.0
    age_s = _young_age(cards, page, rise) if young else low_s * math.sqrt(rise / before)
    for _ in range(_STEPS):
        value = 0.0
        slope = 0.0
        for term in range(TERMS):
            worth = cards["worth"][page, term]
            if worth > 0.0:
                rate = cards["rate"][page, term]
                shape = cards["shape"][page, term]
                value += worth * bracket(rate * age_s, shape)
                slope += worth * rate * bracket_slope(rate * age_s, shape)
        if value < rise:
            low_s = age_s
        else:
            high_s = age_s
        step_s = age_s - (value - rise) / slope
        if not low_s <= step_s <= high_s:
            step_s = 2.0 * age_s if math.isinf(high_s) else 0.5 * (low_s + high_s)
        if abs(step_s - age_s) <= _NEAR * age_s:
            return step_s
        age_s = step_s
    return age_s


@bare_kernel
def _young_age(cards: Cards, page: int, rise: float) -> float:
    """While a page is young its offer rises as the square of its age."""
    curve = 0.0
    for term in range(TERMS):
        worth = cards["worth"][page, term]
        if worth > 0.0:
            rate = cards["rate"][page, term]
            curve += 0.5 * worth * (1.0 + 1.0 / cards["shape"][page, term]) * rate**2
    return math.sqrt(rise / curve)
