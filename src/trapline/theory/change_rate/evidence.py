"""What a page's visits have shown of its change rate D, in four numbers: enough for a posterior
under any prior.

A gap t without a change has the likelihood e^(−D·t), so all of them together e^(−D·exposure),
exposure = their sum: nothing is lost. A gap with a change has 1 − e^(−D·t); k of them are kept as
(1 − e^(−D·t̄))^k with t̄ their geometric mean, which is exact for equal gaps, and close for unequal
ones where D·t is small or about 1. Where nearly every gap sees a change, those after the shortest
gaps tell most, and the mean hides them: with gaps over a decade such a page is taken for a third
too slow. The prior is not in it, so a prior that is learnt later changes what all pages are
believed to do.

Forgetting: a page remembers about its last `most` visits. Older ones fade, and a page that has
changed its ways is known again after so many.

>>> import numpy as np
>>> seen = np.zeros(4)
>>> for gap, changed in ((5.0, False), (2.0, True), (8.0, True)):
...     remember(seen, gap, changed, most=50.0)
>>> seen[CHANGES], round(math.exp(seen[LOG_GAP]), 6), seen[EXPOSURE], seen[UNCHANGED]
(np.float64(2.0), 4.0, np.float64(5.0), np.float64(1.0))
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]

CHANGES, LOG_GAP, EXPOSURE, UNCHANGED = range(
    4
)  # gaps with a change, mean of ln gap over them; sum and count of others
COLUMNS: Final = 4

# log-likelihood below the best from which on a rate does not count
_NEVER: Final = -40.0


@bare_kernel
def remember(evidence: Floats, gap: float, changed: bool, most: float) -> None:
    """One more visit, `gap` after the one before."""
    count = evidence[CHANGES] + evidence[UNCHANGED]
    if count + 1.0 > most:
        fade = (most - 1.0) / count
        evidence[CHANGES] *= fade
        evidence[UNCHANGED] *= fade
        evidence[EXPOSURE] *= fade
    if changed:
        evidence[CHANGES] += 1.0
        evidence[LOG_GAP] += (math.log(gap) - evidence[LOG_GAP]) / evidence[CHANGES]
    else:
        evidence[UNCHANGED] += 1.0
        evidence[EXPOSURE] += gap


@bare_kernel
def _likely(rate: float, changes: float, gap: float, exposure: float) -> float:
    """Log-likelihood of a rate."""
    y = rate * gap
    if changes <= 0.0 or y > 40.0:  # beyond, a change is certain
        return -rate * exposure
    return changes * math.log(-math.expm1(-y)) - rate * exposure


@bare_kernel
def _likeliest(evidence: Floats) -> float:
    """Where the likelihood has its only peak: changes·t̄/(e^(D·t̄) − 1) = exposure; 0 or ∞ where it
    has none.
    """
    changes = evidence[CHANGES]
    exposure = evidence[EXPOSURE]
    if changes <= 0.0:
        return 0.0
    gap = math.exp(evidence[LOG_GAP])
    return math.log1p(changes * gap / exposure) / gap if exposure > 0.0 else math.inf


@bare_kernel
def weigh(rates: Floats, prior: Floats, evidence: Floats, weights: Floats) -> None:
    """The posterior on a grid of falling rates, written to `weights`; they add up to 1.

    The likelihood has one peak, so from there only as far is looked as it matters.
    """
    changes = evidence[CHANGES]
    gap = math.exp(evidence[LOG_GAP])
    exposure = evidence[EXPOSURE]
    likeliest = _likeliest(evidence)
    peak = 0
    while peak < len(rates) - 1 and rates[peak] > likeliest:
        peak += 1
    best = _likely(rates[peak], changes, gap, exposure)
    if peak > 0:
        best = max(best, _likely(rates[peak - 1], changes, gap, exposure))
    for i in range(len(rates)):
        weights[i] = 0.0
    total = _weigh_side(rates, prior, weights, peak, 1, changes, gap, exposure, best)
    total += _weigh_side(
        rates, prior, weights, peak - 1, -1, changes, gap, exposure, best
    )
    if total <= 0.0:
        total = _weigh_allowed(rates, prior, weights, changes, gap, exposure)
    share = 1.0 / total
    for i in range(len(rates)):
        weights[i] *= share


@bare_kernel
def _weigh_allowed(
    rates: Floats,
    prior: Floats,
    weights: Floats,
    changes: float,
    gap: float,
    exposure: float,
) -> float:
    """Where the prior forbids all that is likely: the likeliest of what it allows counts.

    Returns the weights' sum.
    """
    best = -math.inf
    total = 0.0
    for i in range(len(rates)):
        if prior[i] > 0.0:
            best = max(best, _likely(rates[i], changes, gap, exposure))
    for i in range(len(rates)):
        below = _likely(rates[i], changes, gap, exposure) - best
        weights[i] = (
            prior[i] * math.exp(below) if prior[i] > 0.0 and below > _NEVER else 0.0
        )
        total += weights[i]
    return total


@bare_kernel
def _weigh_side(
    rates: Floats,
    prior: Floats,
    weights: Floats,
    start: int,
    step: int,
    changes: float,
    gap: float,
    exposure: float,
    best: float,
) -> float:
    """Weights from a grid point on in one direction; returns their sum."""
    total = 0.0
    i = start
    while 0 <= i < len(rates):
        below = _likely(rates[i], changes, gap, exposure) - best
        if below < _NEVER:
            break
        weights[i] = prior[i] * math.exp(below)
        total += weights[i]
        i += step
    return total
