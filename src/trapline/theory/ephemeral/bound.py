"""What no policy exceeds in the long run (`whittle`, eqs. 4–6): the reward a slot if the budget
holds on the average only. A finite run may: it begins with contents that nobody has to replace.

With a price λ on each unit of cost the sources part, and each is best visited every k slots, so
that

    bound = min over λ ≥ 0 of  λ·M + Σ_i max_k [(x_i(k) − λ·C_i)/k]⁺.

One more slot is better as long as λ > γ(k): the best k is the first age whose price reaches λ. The
dual is convex and piecewise linear in λ, its slope M − Σ C/k: the search for the λ at which the
slope changes sign ends between two neighbouring floats, so that the value is exact but for
rounding.

>>> numbers = [(1.0, 0.7), (0.7, 0.35), (0.2, 0.7), (0.08, 0.21)]
>>> table = [EphemeralSource(250.0, *pair) for pair in numbers]
>>> found = relaxed_bound(table, budget=2)
>>> round(found.value, 4), round(found.price, 4), found.ages.tolist()
(338.0539, 43.6046, [1.0, 2.0, 3.0, 7.0])
>>> found.rates.round(4).tolist(), round(sum(found.rates.tolist()), 12)
([1.0, 0.5238, 0.3333, 0.1429], 2.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.slot_formulas import Floats
from trapline.theory.ephemeral.source import EphemeralSource, Sources

_ROUNDED: Final = 1.0 + 1e-13  # three thirds may be more than 1


@dataclass(frozen=True)
class RelaxedBound:
    value: float  # reward a slot
    # λ of a unit of cost, the least at which no more than the budget is asked for
    price: float
    # each source is visited when its price reaches λ, at this age; ∞: never
    ages: Floats
    # visits a slot: 1/age, and more at the margin, where the rest of the budget buys some visits
    # earlier
    rates: Floats


def relaxed_bound(
    sources: Sources | Sequence[EphemeralSource], budget: float
) -> RelaxedBound:
    """The bound for `budget` units of cost a slot (M of eq. 5).

    A budget that pays for visiting in each slot every source that ever holds anything has price 0:
    there is no more to gain, and the rest of it is not spent. Sources without utility are never
    visited.
    """
    many = sources if isinstance(sources, Sources) else Sources.of(sources)
    if not (math.isfinite(budget) and budget > 0.0):
        raise BadNumber(
            "the budget M", budget, "a number above 0 (units of cost a slot)"
        )
    useful = many.worth > 0.0
    if budget >= many.cost[useful].sum():
        ages = np.where(useful, 1.0, np.inf)
        return RelaxedBound(float(many.gain.sum()), 0.0, ages, 1.0 / ages)
    price, ages, sooner = _market(many, useful, budget)
    least = float((many.cost / ages).sum())
    most = float((many.cost / sooner).sum())
    share = (
        min(1.0, max(0.0, (budget - least) / (most - least))) if most > least else 0.0
    )
    rates = np.where(ages == sooner, 1.0 / ages, (1.0 - share) / ages + share / sooner)
    earned = (many.content(ages) - price * many.cost) / ages
    return RelaxedBound(float(earned.sum()) + price * budget, price, ages, rates)


def _market(
    many: Sources, useful: NDArray[np.bool_], budget: float
) -> tuple[float, Floats, Floats]:
    """The least price at which no more than the budget is asked for; the ages at it, and at the
    float before it.

    Sources whose age is the same at both ends of the bracket are settled and looked at no more.
    """
    first = np.where(useful, 1.0, np.inf)
    last = np.full(len(many), np.inf)
    low = float(many.price(1.0)[useful].min())
    # above all worths: at its worth a source that drops content is still asked for
    high = math.nextafter(float(many.worth.max()), math.inf)
    open_ = np.flatnonzero(useful)
    spent = 0.0
    rest = many.part(open_)
    while open_.size and low < (middle := _between(low, high)) < high:
        ages = np.clip(rest.due_age(middle), first[open_], last[open_])
        if spent + float((rest.cost / ages).sum()) > budget * _ROUNDED:
            low = middle
            first[open_] = ages
        else:
            high = middle
            last[open_] = ages
        moving = first[open_] != last[open_]
        if np.count_nonzero(moving) < 0.8 * open_.size:
            spent += float((rest.cost / ages)[~moving].sum())
            open_ = open_[moving]
            rest = many.part(open_) if open_.size else rest
    return high, last, first


def _between(low: float, high: float) -> float:
    return (
        math.sqrt(low) * math.sqrt(high)
        if high > 4.0 * low
        else low + 0.5 * (high - low)
    )
