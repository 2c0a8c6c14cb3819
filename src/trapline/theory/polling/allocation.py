"""How often to poll each page (`htraa`, section II): the Lagrange condition, for pages of equal and
of other weights.

A page changes in each step with probability p, q = 1 − p, l = −ln q. Polled every 1/x steps, a poll
finds a change with probability d(x) = 1 − q^(1/x), and x of them a step earn w·x·d(x). One more
poll earns V = w·[d + (1−d)·ln(1−d)], the price of theory/price.py at the age 1/x. With a budget of
c polls a step the best rates have one price λ for all pages:

- equal weights: d is the same for all, x = c·l/Σl, which earns c·(1 − (Πq)^(1/c));
- other weights: 1/x = V⁻¹(λ); a page whose whole weight is below λ is never polled. (What makes w·d
  equal, where the automata of the paper come to rest, is not the best then.)

No page can be polled more than once a step, and below an age of 1 the formula is that of no
schedule: x ≤ 1. The price of a poll falls with x, so that the best rates under the cap are min(1,
·) of the above at a lower price λ.

>>> p = [0.5, 0.2, 0.1]
>>> best_rates(p).round(4).tolist(), round(detections(p, best_rates(p)), 6)
([0.6785, 0.2184, 0.1031], 0.64)
>>> # 2·l/Σl would poll the first page 1.36 times a step.
>>> best_rates(p, budget=2.0).round(4).tolist()
[1.0, 0.6793, 0.3207]
>>> best_rates(p, weights=[1.0, 8.0, 1.0]).round(4).tolist()
[0.3983, 0.5412, 0.0605]
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from trapline.theory.argument_checks import (
    Floats,
    at_least_0,
    chances,
    check_polls,
    one_each,
    several,
    weights_of,
)
from trapline.theory.ephemeral.slot_formulas import in_blocks, inverse_bracket
from trapline.theory.market import market_price
from trapline.theory.price import visit_price

# hazards and weights below it would have prices below the least float
_LEAST: Final = 1e-100
# the price of the formula is that of continuous time: no lag of slots
_AT_ONCE: Final = np.zeros(1)


def best_rates(
    change_probabilities: ArrayLike,
    budget: float = 1.0,
    weights: ArrayLike | None = None,
) -> Floats:
    """Polls a step of each page, at most 1, Σ = budget, that earn the most by the formula."""
    hazard = -np.log1p(-page_chances(change_probabilities))
    check_polls(budget, hazard.size)
    worth = weights_of(weights, hazard.size)
    wanted = np.flatnonzero(worth)
    # more than can be of use: what is left goes to pages of no weight
    if budget >= wanted.size:
        rates = np.full(
            hazard.size, (budget - wanted.size) / max(1, hazard.size - wanted.size)
        )
        rates[wanted] = 1.0
        return rates
    rates = np.zeros(hazard.size)
    if np.ptp(worth[wanted]) == 0.0:
        rates[wanted] = _share_out(hazard[wanted], budget)
    else:
        rates[wanted] = _rates_at_one_price(hazard[wanted], worth[wanted], budget)
    return rates


def proportional_rates(change_probabilities: ArrayLike, budget: float = 1.0) -> Floats:
    """Polls a step in proportion to the change probabilities, but at most 1 for any page."""
    chance = page_chances(change_probabilities)
    check_polls(budget, chance.size)
    return _share_out(chance, budget)


def uniform_rates(change_probabilities: ArrayLike, budget: float = 1.0) -> Floats:
    """As many polls a step for each page."""
    pages = page_chances(change_probabilities).size
    check_polls(budget, pages)
    return np.full(pages, budget / pages)


def detections(
    change_probabilities: ArrayLike, rates: ArrayLike, weights: ArrayLike | None = None
) -> float:
    """Σ w·x·(1 − q^(1/x)): detections a step if page i were polled exactly every 1/x_i steps; never
    (x = 0) earns 0.

    1/x is rarely a whole number, and pages get into each other's way: schedules earn less
    (whole_steps.py, realised.py).
    """
    hazard = -np.log1p(-page_chances(change_probabilities))
    often = one_each("rates", at_least_0("a rate", rates), hazard.size)
    worth = weights_of(weights, hazard.size)
    polled = often > 0.0
    with np.errstate(over="ignore"):
        found = -np.expm1(-hazard[polled] / often[polled])
    return float((worth[polled] * often[polled] * found).sum())


def page_chances(change_probabilities: ArrayLike) -> Floats:
    """The change probabilities of two or more pages: with one there is nothing to choose."""
    return several(
        "pages", chances("a change probability", change_probabilities), least=2
    )


def _share_out(parts: Floats, budget: float) -> Floats:
    """The budget in proportion to the parts, none above 1: those that would be get 1, the others
    share the rest.
    """
    falling = np.sort(parts)[::-1]
    rest = np.cumsum(falling[::-1])[::-1]
    left = budget - np.arange(parts.size)
    capped = int(np.argmax(falling * left <= rest))
    return np.minimum(1.0, parts * float(left[capped] / rest[capped]))


def _rates_at_one_price(hazard: Floats, worth: Floats, budget: float) -> Floats:
    """The same price for all: between the least and the greatest price of pages that are polled
    equally often.
    """
    hazard = np.maximum(_LEAST, hazard)
    worth = np.maximum(_LEAST, worth / worth.max())

    def rates_at(price: float) -> Floats:
        return in_blocks(_polls, np.array([price]), hazard, worth)

    even = visit_price(hazard.size / budget, hazard, worth)
    low, high = market_price(
        lambda price: float(rates_at(price).sum()),
        budget,
        float(even.min()),
        float(even.max()),
    )
    more = rates_at(low)
    less = rates_at(high)
    missing = budget - float(less.sum())
    jump = float(more.sum() - less.sum())
    return less + (more - less) * (missing / jump if jump > 0.0 else 0.0)


def _polls(price: Floats, hazard: Floats, worth: Floats) -> Floats:
    """x = 1/V⁻¹(price), at most 1; 0 from the weight on."""
    asked = price < worth
    y = inverse_bracket(
        np.where(asked, price, 0.5) / np.where(asked, worth, 1.0), _AT_ONCE
    )
    return np.where(asked, np.minimum(1.0, hazard / y), 0.0)
