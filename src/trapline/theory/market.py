"""The price at which a market clears: as much is asked for as there is to spend.

Where visits get dearer, fewer are asked for. Of many pages with one budget, each is best visited as
often as it is worth at the common price λ (Lagrange); what is left is one equation in one unknown.

>>> low, high = market_price(lambda price: 6.0 / price, budget=2.0, low=1.0, high=10.0)
>>> round(low, 12), round(high, 12)
(3.0, 3.0)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import cycle
from typing import Final

_ROUNDING: Final = 4e-15  # a sum of many rates is not known better


def market_price(
    asked: Callable[[float], float], budget: float, low: float, high: float
) -> tuple[float, float]:
    """Two neighbouring prices: at the first no less than the budget is asked for, at the second no
    more.

    `asked` never rises with the price; at `high` > 0 no more than the budget is asked for, at some
    price above 0 no less; `low` > 0 is a first guess of such a price. Where the demand jumps
    between two floats (pages that are nearly certain to have changed ask for many visits or for
    none) the two differ, and the caller shares out what is left.

    False position on logarithmic scales, where demands are nearly straight, with Illinois' halving;
    every third time a bisection, so that it ends whatever the demand is like.
    """

    def over(price: float) -> float:
        found = asked(price)
        return math.log(found / budget) if found > 0.0 else -math.inf

    more = over(low)
    less = over(high)
    while more < 0.0:
        high = low
        less = more
        low = 0.5 * low
        more = over(low)
    last = 0.0
    for halve in cycle((False, False, True)):
        middle = (
            _between(low, high)
            if halve or more <= less
            else low * (high / low) ** (more / (more - less))
        )
        if not low < middle < high:
            middle = _between(low, high)
        if not low < middle < high:
            break
        found = over(middle)
        if abs(found) <= _ROUNDING:
            return middle, middle
        if found > 0.0:
            low = middle
            more = found
            less = 0.5 * less if last > 0.0 else less
        else:
            high = middle
            less = found
            more = 0.5 * more if last < 0.0 else more
        last = found
    return low, high


def _between(low: float, high: float) -> float:
    return (
        math.sqrt(low) * math.sqrt(high)
        if high > 4.0 * low
        else low + 0.5 * (high - low)
    )
