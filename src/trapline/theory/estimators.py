"""Change rates from what visits found (Cho & Garcia-Molina, "Estimating frequency of change"):
numbers, no posteriors.

Of n visits, each a gap g after the one before, X found the page changed. One visit sees one change,
however many there were, so that X/(n·g) is too low for fast pages. The likeliest rate
−ln((n−X)/n)/g is infinite if every visit found a change; half a visit more on either side takes
away most of its bias:

    −ln((n − X + 1/2)/(n + 1/2))/g.

With gaps t of different lengths the likelihood Π_changed (1 − e^(−Dt))·Π_unchanged e^(−Dt) is
greatest where

    Σ_changed t/(e^(Dt) − 1) = Σ_unchanged t.

>>> seen = [True, True, False, True]
>>> naive_rate(seen, gap=2.0), round(bias_reduced_rate(seen, gap=2.0), 4)
(0.375, 0.5493)
>>> round(likeliest_rate([2.0] * 4, seen), 4)
0.6931
>>> round(likeliest_rate([1.0, 5.0, 2.0], [False, True, True]), 4)
0.6347
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, check_rate
from trapline.theory.argument_checks import Floats, one_each, positive, several


def naive_rate(changed: ArrayLike, gap: float) -> float:
    """X/(n·g): the share of visits that found a change, by the gap. Never more than 1/gap."""
    seen = _verdicts(changed)
    check_rate("the gap", gap, "the time between two visits")
    return float(seen.mean() / gap)


def bias_reduced_rate(changed: ArrayLike, gap: float) -> float:
    """−ln((n − X + 1/2)/(n + 1/2))/g: finite whatever the visits found."""
    seen = _verdicts(changed)
    check_rate("the gap", gap, "the time between two visits")
    return -math.log((np.count_nonzero(~seen) + 0.5) / (seen.size + 0.5)) / gap + 0.0


def likeliest_rate(gaps: ArrayLike, changed: ArrayLike) -> float:
    """The rate of the greatest likelihood, gaps of any lengths: 0 if no change was seen, ∞ if every
    visit saw one.

    1/D − t/2 < t/(e^(Dt) − 1) < 1/D bounds the root from both sides. The logarithm of the left-hand
    sum is convex in D: from the lower bound Newton's method rises to the root and never passes it.
    """
    seen = _verdicts(changed)
    lengths = one_each("gaps", positive("a gap", gaps), seen.size)
    some = lengths[seen]
    quiet = float(lengths[~seen].sum())
    if not some.size:
        return 0.0
    if quiet == 0.0:
        return math.inf
    rate = some.size / (quiet + 0.5 * float(some.sum()))
    for _ in range(200):
        step = _log_excess(rate, some, quiet)
        rate += step
        if not step > 1e-15 * rate:
            break
    return rate


def _log_excess(rate: float, some: Floats, quiet: float) -> float:
    """Newton's step for log Σ t/(e^(Dt) − 1) = log Σ_unchanged t."""
    with np.errstate(over="ignore"):
        terms = some / np.expm1(rate * some)
    total = float(terms.sum())
    slope = float((terms * some / -np.expm1(-rate * some)).sum())
    return math.log(total / quiet) * total / slope


def _verdicts(changed: ArrayLike) -> NDArray[np.bool_]:
    found = np.asarray(changed)
    if not np.isin(found, (0, 1)).all():
        raise BadNumber(
            "what a visit found",
            found[~np.isin(found, (0, 1))].flat[0],
            "True (changed) or False",
        )
    return several("visits", found.astype(np.float64), least=1) > 0.0
