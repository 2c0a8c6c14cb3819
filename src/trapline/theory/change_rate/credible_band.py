"""The band that holds a rate nine times in ten, by its posterior."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.theory.incomplete_gamma import gamma_threshold

Floats = NDArray[np.float64]

OUTSIDE: Final = 0.05  # of the posterior lies below the band, and as much above


class Band(NamedTuple):
    low: float
    high: float


def grid_band(rates: Floats, weights: Floats) -> Band:
    """Of a posterior on a grid of falling rates, in equal ratios.

    A grid point stands for the rates half a step around it, all of them alike likely in their
    logarithm.

    >>> rates = np.array([1.0, 0.1, 0.01])
    >>> low, high = grid_band(rates, np.array([0.0, 1.0, 0.0]))
    >>> round(low, 3), round(high, 3)
    (0.035, 0.282)
    """
    logs = np.log(rates[::-1])
    half = 0.5 * (logs[1] - logs[0])
    edges = np.append(logs - half, logs[-1] + half)
    below = np.concatenate(([0.0], np.cumsum(weights[::-1])))
    low, high = np.interp((OUTSIDE, 1.0 - OUTSIDE), below / below[-1], edges)
    return Band(float(np.exp(low)), float(np.exp(high)))


def gamma_band(shape: float, scale: float) -> Band:
    """Of a Gamma posterior with mean shape/scale.

    >>> low, high = gamma_band(shape=4.0, scale=100.0)
    >>> round(low, 4), round(high, 4)
    (0.0137, 0.0775)
    """
    low = gamma_threshold(shape, 1.0 - OUTSIDE)
    high = gamma_threshold(shape, OUTSIDE)
    return Band(low / scale, high / scale)
