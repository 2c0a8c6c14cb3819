"""Freshness with known change rates (Cho & Garcia-Molina 2003): what a schedule earns, and what
none exceeds in the long run.

A page of rate D visited every 1/f seconds is fresh a share F(f) = (f/D)·(1 − e^(−D/f)) of the time;
its visit's price is (m/D)·φ(D/f). The bound is the Lagrangian relaxation with evenly spaced visits:
Σ f ≤ budget, and where hosts have gaps, Σ f over a host ≤ 1/gap. No schedule whatever, timed by any
rule that does not look at the changes, does better.

>>> bound = freshness_bound(np.array([1.0, 1.0]), np.ones(2), budget=1.0)
>>> round(bound.value, 6), bound.rates.round(6).tolist()
(0.864665, [0.5, 0.5])
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.theory.kernel import kernel
from trapline.theory.market import market_price
from trapline.theory.price import inverse_bracket, visit_price

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FreshnessBound:
    value: float  # Σ weight × share of time fresh
    price: float  # the market price λ at which the budget is just used up
    rates: Floats  # visits a second of each page


@kernel
def _rates_at(rate: Floats, weight: Floats, price: Floats) -> Floats:
    """How often each page is worth visiting at its price: f = 1/V⁻¹(price)."""
    best = np.empty(len(rate))
    for i in range(len(rate)):
        y = (
            inverse_bracket(price[i] * rate[i] / weight[i], math.inf)
            if weight[i] > 0.0
            else math.inf
        )
        best[i] = rate[i] / y
    return best


def _host_prices(
    rate: Floats, weight: Floats, host: NDArray[np.int32], most: Floats
) -> Floats:
    """For each host its own price, at which its pages ask for no more than its gap allows, whatever
    the market's.

    It is no more than the greatest price of its pages when they share its visits equally.
    """
    share = most / np.maximum(1, np.bincount(host, minlength=len(most)))
    low = np.zeros(len(most))
    high = np.zeros(len(most))
    np.maximum.at(high, host, _even_prices(rate, weight, share[host]))
    for _ in range(60):
        middle = 0.5 * (low + high)
        used = np.bincount(
            host, _rates_at(rate, weight, middle[host]), minlength=len(most)
        )
        low = np.where(used > most, middle, low)
        high = np.where(used > most, high, middle)
    return high


def _even_prices(rate: Floats, weight: Floats, visits: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.atleast_1d(visit_price(1.0 / visits, rate, weight / rate))


def _market(
    rate: Floats, weight: Floats, host: NDArray[np.int32], own: Floats, budget: float
) -> float:
    """The least price at which no more than the budget is asked for; 0 if the hosts allow no more
    anyhow.

    What a host's gap makes dearer than the market stays so at any market price: its own price is
    found once.
    """

    def demand(market: float) -> float:
        return float(_rates_at(rate, weight, np.maximum(own, market)[host]).sum())

    if demand(0.0) <= budget:
        return 0.0
    wanted = weight > 0.0
    even = _even_prices(
        rate[wanted], weight[wanted], np.full(1, budget / np.count_nonzero(wanted))
    )
    return market_price(demand, budget, float(even.min()), float(even.max()))[1]


def freshness_bound(
    rate: Floats,
    weight: Floats,
    budget: float,
    host: NDArray[np.int32] | None = None,
    gap_s: Floats | None = None,
) -> FreshnessBound:
    """The most that any schedule of `budget` visits a second can earn, with each host visited at
    most every gap_s.
    """
    if not budget > 0.0:
        raise BadNumber("the budget", budget, "positive")
    rate = np.ascontiguousarray(rate)
    weight = np.ascontiguousarray(weight)
    if not (np.isfinite(rate).all() and (rate > 0.0).all()):
        raise BadNumber(
            "a change rate",
            rate[~(np.isfinite(rate) & (rate > 0.0))][0],
            "finite and positive",
        )
    if host is None or gap_s is None:
        host = np.zeros(len(rate), np.int32)
        gap_s = np.zeros(1)
    with np.errstate(divide="ignore"):
        most = 1.0 / gap_s
    own = _host_prices(rate, weight, host, most)
    market = _market(rate, weight, host, own, budget)
    prices = np.maximum(own, market)
    rates = _rates_at(rate, weight, prices[host])
    return FreshnessBound(
        _dual(rate, weight, rates, prices[host], market=market, budget=budget)
        + _rent(prices, market, most),
        market,
        rates,
    )


def _dual(
    rate: Floats,
    weight: Floats,
    rates: Floats,
    price: Floats,
    *,
    market: float,
    budget: float,
) -> float:
    """The value of the relaxation at these prices: a bound whatever they are, so rounding can only
    make it safer.

    (Of detections on a saturated host the price is so near 1 that no float lies between all visits
    and none.)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        fresh = np.where(rates > 0.0, rates / rate * -np.expm1(-rate / rates), 0.0)
    return float(weight @ fresh - price @ rates) + market * budget


def _rent(host_price: Floats, market: float, most: Floats) -> float:
    """What the visits of saturated hosts are worth beyond the market price."""
    saturated = host_price > market
    return float(((host_price[saturated] - market) * most[saturated]).sum())


def freshness_earned(
    rate: Floats,
    weight: Floats,
    last_s: Floats,
    times: Floats,
    pages: NDArray[np.int64],
    *,
    window: tuple[float, float],
) -> float:
    """Expected Σ weight × share of the window fresh, of visits at `times` (sorted) to `pages`.

    Given the schedule, a page last visited at l is fresh at s with probability e^(−rate·(s−l)):
    nothing is left to chance.
    """
    facts = np.ascontiguousarray(rate), np.ascontiguousarray(weight)
    return float(_earnings(*facts, np.array(last_s, np.float64), times, pages, *window))


@kernel
def _earnings(
    rate: Floats,
    weight: Floats,
    last: Floats,
    times: Floats,
    pages: NDArray[np.int64],
    from_s: float,
    to_s: float,
) -> float:
    """`last` is written over."""
    total = 0.0
    for i in range(len(times)):
        page = pages[i]
        now = min(times[i], to_s)
        begin = max(last[page], from_s)
        if now > begin:
            d = rate[page]
            total += (
                weight[page]
                * (
                    math.exp(-d * (begin - last[page]))
                    - math.exp(-d * (now - last[page]))
                )
                / d
            )
        last[page] = times[i]
    for page in range(len(rate)):
        begin = max(last[page], from_s)
        if to_s > begin:
            d = rate[page]
            total += (
                weight[page]
                * (
                    math.exp(-d * (begin - last[page]))
                    - math.exp(-d * (to_s - last[page]))
                )
                / d
            )
    return total / (to_s - from_s)
