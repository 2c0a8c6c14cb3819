"""How well a schedule did: `omeara`, eqs. (1) and (3) where nothing goes stale, one fetch a step.

R_t is the relevance of the first t fetched as a share of all there is; P(T) = (1/T)·Σ_{t≤T} R_t.
Schedules and bounds are lists of gains, one a step; after the last of them nothing more is found.

>>> performance([3.0, 0.0, 1.0], total=4.0, horizon=2)
Performance(p=0.75, recall=0.75)
>>> performance([3.0, 0.0, 1.0], total=4.0, horizon=4)
Performance(p=0.875, recall=1.0)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import check_count, check_rate
from trapline.theory.argument_checks import at_least_0, several


class Performance(NamedTuple):
    p: float  # mean recall over the steps up to the horizon
    recall: float  # at the horizon


def performance(values_in_order: ArrayLike, total: float, horizon: int) -> Performance:
    """P(T) and R_T of gains `values_in_order`, of `total` that can be found at all."""
    check_rate("the total relevance", total, "with nothing to find there is no recall")
    check_count("the horizon", horizon, "fetches")
    gains = several("steps", at_least_0("a gain", values_in_order), 0)[:horizon]
    # steps during which each gain counts
    left = np.arange(horizon, horizon - gains.size, -1)
    return Performance(
        float(gains @ left) / (total * horizon), float(gains.sum()) / total
    )
