"""The price of content that is seen as it arrives, on the continuous clock (`whittle`, eq. 17, in
the limit of short slots, with the index corrected as in observed.py).

A source gathers items, one at a time, at Poisson rate Λ; interest in each fades at rate c. It is
seen what it holds: x items, each counted as far as interest in it is left. In units of 1/c let κ =
Λ/c. At any price it is best to visit from some content b on. Let w(y) be the mean time that a
source waits from content y on until it is b again, and s(y) the mean integral of its content:

    w(y) = 1/κ + κ·∫₀^∞ e^(−κt)·w(y·e^(−t)+1) dt,
    s(y) = y/(1+κ) + κ·∫₀^∞ e^(−κt)·s(y·e^(−t)+1) dt,

integrands being 0 from b on. The price at which waiting at b is as good as visiting is

    γ(b) = w(0)·[s(b)/w(b) − s(0)/w(0)].

Up to one item that is b/(1+κ): whoever waits for the next one loses so much of this one. With v =
y·e^(−t) the integrals are over v^(κ−1), and exact between the points of a grid, on which w and s
are taken as linear. From κ = 200 on contents are as good as their means, and the age form is exact.

>>> round(content_price(1.0, arrivals=1.0), 3), round(content_price(2.0, arrivals=1.0), 3)
(0.5, 1.5)
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber

Floats = NDArray[np.float64]

_POINTS: Final = 96  # of the grid
_MANY: Final = 200.0  # arrivals in the time in which interest fades


def content_price(
    items: float,
    arrivals: float,
) -> float:
    """γ of so many items, in items; `arrivals` is κ, of those that come while interest fades."""
    if not 0.0 <= items < math.inf:
        raise BadNumber("the content", items, "a finite number, at least 0")
    if not 0.0 <= arrivals < math.inf:
        raise BadNumber("the arrivals", arrivals, "a finite number, at least 0")
    if items <= 1.0:
        if arrivals < _MANY:
            return items / (1.0 + arrivals)
    elif arrivals < _MANY:
        return _threshold_price(items, arrivals)
    return _mean_price(items, arrivals)


def _mean_price(
    items: float,
    arrivals: float,
) -> float:
    """Of content that grows evenly: κ·φ(y) at the age y at which it holds so much."""
    share = items / arrivals
    if share >= 1.0:
        return items
    left = 1.0 - share  # e^(−y)
    return arrivals * (share + left * math.log(left)) if left > 0.0 else items


def _threshold_price(
    items: float,
    arrivals: float,
) -> float:
    """Beyond the first item: the two equations, solved on contents v + 1 that one more item leaves
    below the threshold.
    """
    left = np.linspace(0.0, items - 1.0, _POINTS)  # v
    after = left + 1.0
    weights = _weights(np.minimum(after, items), left, arrivals)
    system = np.eye(_POINTS) - weights
    # at the threshold itself a source is visited: the last point is the limit from below
    sides = np.column_stack(
        (np.full(_POINTS, 1.0 / arrivals), after / (1.0 + arrivals))
    )
    times, sums = np.linalg.solve(system, sides).T
    at_0 = np.array([1.0 / arrivals + times[0], sums[0]])
    return float(at_0[0] * sums[-1] / times[-1] - at_0[1])


def _weights(
    contents: Floats,
    left: Floats,
    arrivals: float,
) -> Floats:
    """[i, j]: the weight of a function's value at left[j] + 1 in its mean after the next arrival,
    from contents[i] on: of κ·y^(−κ)·v^(κ−1) over v up to y, cut off at the end of the grid.
    """
    step = left[1]
    ends = np.minimum(contents[:, None], left[None, :])
    share = (ends / contents[:, None]) ** arrivals  # κ·∫ v^(κ−1) dv / y^κ
    moment = share * ends * (arrivals / (arrivals + 1.0))  # the same of v
    mass = np.diff(share, axis=1)
    first = np.diff(moment, axis=1)
    upper = (first - mass * left[None, :-1]) / step
    weights = np.zeros((len(contents), len(left)))
    weights[:, :-1] += mass - upper
    weights[:, 1:] += upper
    return weights
