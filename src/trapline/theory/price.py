"""The price of a visit, one formula under three of the papers (whittle eq. 11, htraa's Lagrange
condition, Cho 2003).

If a visit at age t gains G(t), concave, its price, the subsidy at which visiting and waiting are
equally good, is V(t) = G(t) − t·G'(t). Detections, freshness and ephemeral content all give V =
worth·φ(rate·t) with φ(y) = 1 − (1+y)·e^(−y). Averaged over a Gamma(a, b) posterior of the rate, φ
becomes 1 − (1+u)^−(a+1)·(1+(a+1)u) with u = y/a, y = rate·t, rate = a/b; a = ∞ gives φ back.

>>> round(visit_price(age=2.0, rate=0.5, worth=1.0), 4)
0.2642
>>> round(due_after(price=0.2642, rate=0.5, worth=1.0), 2)
2.0
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.cards import TERMS, Cards
from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.slot_formulas import inverse_bracket as slotted_inverse
from trapline.theory.ephemeral.slot_formulas import slotted_bracket
from trapline.theory.kernel import bare_kernel


@bare_kernel
def bracket(y: float, shape: float) -> float:
    """φ, averaged over a Gamma posterior of the given shape (∞: the rate is known).

    In [0, 1), increasing in y.
    """
    if not y > 0.0:
        return 0.0
    if math.isinf(y):  # never visited
        return 1.0
    c = 1.0 / shape
    # the closed form would lose digits to cancellation: its series instead
    if y * (1.0 + 3.0 * c) < 0.02:
        total = 0.5
        term = 1.0
        for k in range(1, 7):
            term *= -y * (1.0 + (k + 1) * c) / k
            total += term / (k + 2)
        return (1.0 + c) * y * y * total
    if c == 0.0:
        return 1.0 - (1.0 + y) * math.exp(-y)
    u = y * c
    return 1.0 - math.exp(-(shape + 1.0) * math.log1p(u)) * (1.0 + (shape + 1.0) * u)


@bare_kernel
def bracket_slope(y: float, shape: float) -> float:
    """dφ/dy = (1+1/a)·y·(1+y/a)^−(a+2)."""
    c = 1.0 / shape
    if c == 0.0:
        return y * math.exp(-y)
    return (1.0 + c) * y * math.exp(-(shape + 2.0) * math.log1p(y * c))


@bare_kernel
def inverse_bracket(value: float, shape: float) -> float:
    """The y at which φ reaches `value`; ∞ from 1 on."""
    if not value > 0.0:
        return 0.0
    if value >= 1.0:
        return math.inf
    c = 1.0 / shape
    low = 0.0
    high = math.inf
    y = math.sqrt(2.0 * value / (1.0 + c))
    for _ in range(200):
        found = bracket(y, shape)
        if found < value:
            low = y
        else:
            high = y
        step = y - (found - value) / bracket_slope(y, shape)
        if not low < step < high:
            step = 2.0 * y if math.isinf(high) else 0.5 * (low + high)
        if abs(step - y) <= 1e-13 * y:
            return step
        y = step
    return y


@bare_kernel
def offer_price(cards: Cards, page: int, now_s: float) -> float:
    """What a visit to `page` at `now_s` is worth, per unit of cost."""
    price = float(cards["base"][page])
    if math.isinf(price):
        return price
    age = now_s - cards["last"][page]
    for term in range(TERMS):
        worth = cards["worth"][page, term]
        if worth > 0.0:
            price += worth * bracket(
                cards["rate"][page, term] * age, cards["shape"][page, term]
            )
    return price / cards["cost"][page]


@bare_kernel
def offer_loss(cards: Cards, page: int, now_s: float) -> float:
    """What is lost a second if what a visit brings is not read at once, per unit of cost.

    News that wait lose interest at their rate; a page that waits is not fresh. Both lose rate times
    what was gained, worth·rate·[1 − (1+u)^−(shape+1)]; for known rates worth·rate·(1 − e^(−y)).
    """
    age = now_s - cards["last"][page]
    loss = 0.0
    for term in range(TERMS):
        worth = cards["worth"][page, term]
        if worth > 0.0:
            rate = cards["rate"][page, term]
            shape = cards["shape"][page, term]
            kept = math.exp(-rate * age)
            if not math.isinf(shape):
                kept = math.exp(-(shape + 1.0) * math.log1p(rate * age / shape))
            loss += worth * rate * (1.0 - kept)
    return float(loss / cards["cost"][page])


@bare_kernel
def _rise(cards: Cards, page: int, age: float) -> tuple[float, float]:
    """Value and slope of the offer at an age, cost left out."""
    value = float(cards["base"][page])
    slope = 0.0
    for term in range(TERMS):
        worth = cards["worth"][page, term]
        if worth > 0.0:
            rate = cards["rate"][page, term]
            shape = cards["shape"][page, term]
            value += worth * bracket(rate * age, shape)
            slope += worth * rate * bracket_slope(rate * age, shape)
    return value, slope


@bare_kernel
def offer_age(cards: Cards, page: int, price: float, most: float) -> float:
    """The age at which the offer reaches `price` per unit of cost, at most `most`: V⁻¹ of the whole
    offer.
    """
    target = price * cards["cost"][page]
    if cards["base"][page] >= target:
        return 0.0
    if cards["worth"][page, 1] <= 0.0:  # one gain only: the inverse is at hand
        value = (target - cards["base"][page]) / cards["worth"][page, 0]
        if not value < 1.0:
            return most
        return min(
            most,
            inverse_bracket(value, cards["shape"][page, 0]) / cards["rate"][page, 0],
        )
    if _rise(cards, page, most)[0] < target:
        return most
    low = 0.0
    high = most
    age = 0.5 * most
    for _ in range(100):
        value, slope = _rise(cards, page, age)
        if value < target:
            low = age
        else:
            high = age
        step = age - (value - target) / slope
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - age) <= 1e-12 * age:
            return step
        age = step
    return age


_AT_ONCE = np.zeros(1)  # a continuous clock: the lag of slots of no length


def visit_price(age: ArrayLike, rate: ArrayLike, worth: ArrayLike) -> Any:
    """Price of a visit `age` after the last one: worth·[1 − (1+y)·e^(−y)], y = rate·age.

    Arrays in, array out.
    """
    ages, rates, worths = _columns(
        {"the age": age, "the rate": rate, "the worth": worth}
    )
    return _plain(
        worths * slotted_bracket((rates * ages).ravel(), _AT_ONCE).reshape(ages.shape)
    )


def due_after(price: ArrayLike, rate: ArrayLike, worth: ArrayLike) -> Any:
    """The age at which a visit reaches `price`; ∞ from `worth` on: the inverse of visit_price."""
    prices, rates, worths = _columns(
        {"the price": price, "the rate": rate, "the worth": worth}
    )
    rises = (prices > 0.0) & (prices < worths)
    share = np.divide(prices, worths, where=rises, out=np.full(prices.shape, 0.5))
    y = slotted_inverse(share.ravel(), _AT_ONCE).reshape(prices.shape)
    return _plain(np.where(rises, y / rates, np.where(prices > 0.0, np.inf, 0.0)))


def _columns(given: dict[str, ArrayLike]) -> list[NDArray[np.float64]]:
    """As arrays of one shape; raises BadNumber for what is no number, below 0, or a
    rate of 0 or ∞.
    """
    found = []
    for name, values in given.items():
        array = np.asarray(values, np.float64)
        bad = (
            ~(array >= 0.0)
            if name != "the rate"
            else ~((array > 0.0) & np.isfinite(array))
        )
        bad |= np.isinf(array) & (name == "the worth")
        if bad.any():
            raise BadNumber(
                name,
                array[bad].flat[0],
                "finite and above 0" if name == "the rate" else "at least 0",
            )
        found.append(array)
    return [np.array(array) for array in np.broadcast_arrays(*found)]


def _plain(array: NDArray[np.float64]) -> Any:
    return array.item() if array.ndim == 0 else array
