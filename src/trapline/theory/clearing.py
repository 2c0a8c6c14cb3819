"""Clearing: the one price at which all shards together ask for the budget.

max Σ U_s(b_s), Σ b_s = B, each U_s concave: at the optimum all shards pay one price λ. A shard's
bid says how many visits a second it wants at some prices; between two of them its demand is taken
as a power of the price. The demands are added up and the price is found at which they are the
budget: no shard need be asked twice.

>>> low = Bid(0, prices=(1.0, 2.0, 4.0), per_s=(8.0, 4.0, 2.0))
>>> high = Bid(1, prices=(2.0, 4.0, 8.0), per_s=(8.0, 4.0, 2.0))
>>> cleared = clear([low, high], budget_per_s=6.0)
>>> round(cleared.price, 6), {shard: round(rate, 6) for shard, rate in cleared.per_s.items()}
(4.0, {0: 2.0, 1: 4.0})
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.core.ledger import Bid
from trapline.theory.market import market_price

FLOOR: Final = 0.01  # of an equal share: a shard without visits would learn no price
# how demand goes on beyond the prices that were asked: for small ages V⁻¹ grows as √price,
_BELOW: Final = 0.5
# and towards what pages are worth demand falls at least as the price rises
_ABOVE: Final = 1.0
_SPARE: Final = 1e-12  # of the budget: what adding up may round

Floats = NDArray[np.float64]


class Cleared(NamedTuple):
    """One price for all, and what each shard may spend."""

    price: float  # 0 = nobody is kept from anything: all want less than there is
    per_s: dict[int, float]  # shard → visits


class _Curves(NamedTuple):
    """All bids, one a row."""

    logs: Floats  # of prices
    per_s: Floats


def clear(bids: Sequence[Bid], budget_per_s: float) -> Cleared:
    """The price at which these shards ask for the budget, and the rate of each at it.

    Each has at least `FLOOR` of an equal share; all together never have more than the budget. If
    they want less than that, half of the rest is shared out in proportion, for each visit may open
    pages that nobody knows yet, and half equally: a shard that wants nothing now, and in which
    pages turn up, need not wait for the next round.
    """
    if not budget_per_s > 0.0:
        raise BadNumber(
            "the budget", budget_per_s, "a positive number of visits a second"
        )
    if not bids:
        return Cleared(0.0, {})
    shards = [bid.shard for bid in bids]
    if math.isinf(budget_per_s):
        return Cleared(0.0, dict.fromkeys(shards, math.inf))
    price, rates = _split(_curves(bids), budget_per_s)
    rates *= min(1.0, budget_per_s * (1.0 - _SPARE) / float(rates.sum()))
    return Cleared(price, dict(zip(shards, rates.tolist(), strict=True)))


def sound_bids(bids: Sequence[Bid]) -> list[Bid]:
    """Those that can be cleared together: each says what a price and a rate may be, and as many as
    most of them do.

    >>> good = Bid(0, prices=(1.0, 2.0), per_s=(8.0, 4.0))
    >>> bad = Bid(1, prices=(2.0, 1.0), per_s=(8.0, 4.0))
    >>> odd = Bid(2, prices=(1.0, 2.0, 3.0), per_s=(8.0, 4.0, 2.0))
    >>> [bid.shard for bid in sound_bids([bad, good, odd])]
    [2]
    """
    sound = [bid for bid in bids if _is_sound(bid)]
    if not sound:
        return []
    # of equally many the longer ones, wherever they stand
    points = Counter(len(bid.prices) for bid in sound)
    usual = max(points, key=lambda point: (points[point], point))
    return [bid for bid in sound if len(bid.prices) == usual]


def _is_sound(bid: Bid) -> bool:
    try:
        _curves([bid])
    except (BadNumber, ValueError, TypeError):
        return False
    return True


def _split(curves: _Curves, budget: float) -> tuple[float, Floats]:
    floor = FLOOR * budget / len(curves.logs)

    def rates(price: float) -> Floats:
        return np.maximum(demand(curves, price), floor)

    cheapest = math.exp(float(curves.logs[:, 0].min()))
    wanted = rates(cheapest)
    if (asked := float(wanted.sum())) <= budget:
        spare = 0.5 * (budget - asked)
        return 0.0, wanted * (1.0 + spare / asked) + spare / len(wanted)
    dearest = math.exp(float(curves.logs[:, -1].max()))
    while rates(dearest).sum() > budget:
        dearest *= 2.0
    below, above = market_price(
        lambda price: float(rates(price).sum()), budget, cheapest, dearest
    )
    return above, _between(rates(below), rates(above), budget)


def _between(more: Floats, less: Floats, budget: float) -> Floats:
    """Where demand jumps at the price: as much of the jump as the budget bears."""
    jump = float(more.sum() - less.sum())
    if not jump > 0.0:
        return less
    share = (budget - float(less.sum())) / jump
    return less + min(max(share, 0.0), 1.0) * (more - less)


def _curves(bids: Sequence[Bid]) -> _Curves:
    prices = np.array([bid.prices for bid in bids], np.float64)
    per_s = np.array([bid.per_s for bid in bids], np.float64)
    if prices.shape != per_s.shape or prices.ndim != 2 or prices.shape[1] < 2:
        raise BadNumber("a bid", "uneven", "as many rates as prices, at least two")
    if not (np.isfinite(prices).all() and (prices[:, 0] > 0.0).all()):
        raise BadNumber("the prices of a bid", prices.min(), "finite and above 0")
    if not (np.diff(prices, axis=1) > 0.0).all():
        raise BadNumber("the prices of a bid", "out of order", "in rising order")
    if not (np.isfinite(per_s).all() and (per_s >= 0.0).all()):
        raise BadNumber("the rates of a bid", per_s.min(), "finite, at least 0")
    # what is dearer is wanted no more: an estimate may wobble, a demand does not
    return _Curves(np.log(prices), np.minimum.accumulate(per_s, axis=1))


def demand(curves: _Curves, price: float) -> Floats:
    """What each shard asks for at a price."""
    logs, per_s = curves
    at = math.log(price)
    rows = np.arange(len(logs))
    place = np.clip((logs <= at).sum(axis=1) - 1, 0, logs.shape[1] - 2)
    left = logs[rows, place]
    share = np.clip((at - left) / (logs[rows, place + 1] - left), 0.0, 1.0)
    inside = _between_prices(per_s[rows, place], per_s[rows, place + 1], share)
    cheaper = np.maximum(logs[:, 0] - at, 0.0)
    dearer = np.maximum(at - logs[:, -1], 0.0)
    return np.asarray(inside * np.exp(_BELOW * cheaper - _ABOVE * dearer), np.float64)


def _between_prices(more: Floats, less: Floats, share: Floats) -> Floats:
    """A power of the price; straight over its logarithm down to nothing."""
    straight = more + share * (less - more)
    power = more ** (1.0 - share) * less**share
    return np.asarray(np.where(less > 0.0, power, straight), np.float64)
