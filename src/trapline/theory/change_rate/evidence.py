"""What a page's visits have shown of its change rate D, in four numbers: enough for a posterior under any prior.

A gap t without a change has the likelihood e^(−D·t), so all of them together e^(−D·exposure), exposure = their sum:
nothing is lost. A gap with a change has 1 − e^(−D·t); k of them are kept as (1 − e^(−D·t̄))^k with t̄ their geometric
mean, which is exact for equal gaps, and close for unequal ones where D·t is small or about 1. Where nearly every gap
sees a change, those after the shortest gaps tell most, and the mean hides them: with gaps over a decade such a page is
taken for a third too slow. The prior is not in it, so a prior that is learnt later changes what all pages are believed
to do.

Forgetting: a page remembers about its last `most` visits. Older ones fade, and a page that has changed its ways is
known again after so many.

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
def weigh(rates: Floats, prior: Floats, evidence: Floats, weights: Floats) -> None:
    """The posterior on a grid of rates, written to `weights`; they add up to 1."""
    changes, gap = evidence[CHANGES], math.exp(evidence[LOG_GAP])
    best = -math.inf
    for i in range(len(rates)):
        likely = -rates[i] * evidence[EXPOSURE]
        y = rates[i] * gap
        if changes > 0.0 and y < 40.0:  # beyond, a change is certain
            likely += changes * math.log(-math.expm1(-y))
        weights[i] = likely if prior[i] > 0.0 else -math.inf
        best = max(best, weights[i])
    total = 0.0
    for i in range(len(rates)):
        weights[i] = prior[i] * math.exp(weights[i] - best) if weights[i] - best > -40.0 else 0.0
        total += weights[i]
    for i in range(len(rates)):
        weights[i] /= total
