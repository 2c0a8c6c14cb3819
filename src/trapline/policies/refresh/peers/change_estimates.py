"""The peers' estimators of a page's change rate, from five numbers that its visits leave.

Gaps without a change count by their sum. Of gaps with a change x the number and the mean and
variance of ln x are kept; half of them are taken to be as long as e^(mean + deviation), half as
e^(mean − deviation), which is exact where all are alike.

- *likeliest*: the root of Σ_changed x/(e^(Dx) − 1) = Σ_unchanged x, with one imaginary gap of each
  kind (LambdaCrawl's: half a day), between two bounds;
- *bias-reduced* (Cho & Garcia-Molina 2003): −ln((n − X + ½)/(n + ½))/g of n visits after gaps of g
  on average of which X found a change; half a change over all of the time if X = 0, for which the
  formula has 0 and the page would not be visited again;
- *naive*: X/(n·g).

>>> import numpy as np
>>> seen = np.zeros(1, EVIDENCE)
>>> for gap_s, changed in ((2.0, True), (2.0, True), (2.0, False), (2.0, True)):
...     note_gap(seen, 0, gap_s, changed)
>>> naive_rate(seen, 0), round(bias_reduced_rate(seen, 0), 4)
(0.375, 0.5493)
>>> round(likeliest_rate(seen, 0, 2.0, 1e-3, 1e3), 4)  # four changed of six
0.5493
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trapline.policies.mind import Records
from trapline.theory.kernel import bare_kernel

EVIDENCE: Final = np.dtype(
    [
        (name, np.float64)
        for name in ("visits", "changes", "log_gap", "log_squares", "unchanged_s")
    ]
)
_EXACT: Final = 1e-6  # relative, of the root


@bare_kernel
def note_gap(pages: Records, page: int, gap_s: float, changed: bool) -> None:
    """One more visit, so long after the one before."""
    pages["visits"][page] += 1.0
    if not changed:
        pages["unchanged_s"][page] += gap_s
        return
    pages["changes"][page] += 1.0
    off = math.log(gap_s) - pages["log_gap"][page]
    pages["log_gap"][page] += off / pages["changes"][page]
    pages["log_squares"][page] += off * (math.log(gap_s) - pages["log_gap"][page])


@bare_kernel
def _two_gaps(pages: Records, page: int) -> tuple[float, float]:
    """The two lengths that stand for the gaps with a change."""
    changes = max(1.0, pages["changes"][page])
    deviation = math.sqrt(pages["log_squares"][page] / changes)
    mean = pages["log_gap"][page]
    return math.exp(mean + deviation), math.exp(mean - deviation)


@bare_kernel
def watched_s(pages: Records, page: int) -> float:
    """All gaps together."""
    longer_s, shorter_s = _two_gaps(pages, page)
    changed_s = 0.5 * pages["changes"][page] * (longer_s + shorter_s)
    return float(pages["unchanged_s"][page] + changed_s)


@bare_kernel
def naive_rate(pages: Records, page: int) -> float:
    return float(pages["changes"][page] / watched_s(pages, page))


@bare_kernel
def bias_reduced_rate(pages: Records, page: int) -> float:
    visits = pages["visits"][page]
    changes = pages["changes"][page]
    seen_s = watched_s(pages, page)
    if changes <= 0.0:
        return float(0.5 / seen_s)
    rate = -math.log((visits - changes + 0.5) / (visits + 0.5)) * visits / seen_s
    return float(rate)


@bare_kernel
def likeliest_rate(
    pages: Records, page: int, imaginary_s: float, slowest: float, fastest: float
) -> float:
    """By bisection of the logarithm; left minus right falls as the rate grows."""
    half = 0.5 * pages["changes"][page]
    longer_s, shorter_s = _two_gaps(pages, page)
    quiet_s = pages["unchanged_s"][page] + imaginary_s
    low = slowest
    high = fastest
    while high > low * (1.0 + _EXACT):
        rate = math.sqrt(low * high)
        left_s = imaginary_s / math.expm1(rate * imaginary_s)
        if half > 0.0:
            left_s += half * longer_s / math.expm1(rate * longer_s)
            left_s += half * shorter_s / math.expm1(rate * shorter_s)
        if left_s > quiet_s:
            low = rate
        else:
            high = rate
    return math.sqrt(low * high)
