"""Pages that nobody has seen yet, by guesses: how often they change, how many visits hosts allow.

Times between changes are log-normal, given by their median and by the factor within which two
thirds of the pages lie. All hosts are alike. Then one host with the room of all of them stands for
them, exactly: each has the same mix of pages, and so the same price.

>>> guessed_rates(every_s=10.0, spread=1.0, count=3).round(3).tolist()
[0.1, 0.1, 0.1]
>>> guessed_rates(every_s=10.0, spread=2.0, count=3).round(3).tolist()
[0.196, 0.1, 0.051]
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from trapline.theory.planning.page_gains import Floats


def guessed_rates(every_s: float, spread: float, count: int) -> Floats:
    """Change rates of so many pages, evenly over the distribution; the fastest first."""
    normal = NormalDist()
    places = [normal.inv_cdf((page + 0.5) / count) for page in range(count)]
    every = every_s * np.exp(math.log(spread) * np.array(places))
    found: Floats = 1.0 / every
    return found


def visits_allowed(hosts: int, gap_s: float, latency_s: float) -> float:
    """Visits a second that all hosts together have room for: a visit begins when the gap since the
    last one's end is over.

    >>> visits_allowed(hosts=40, gap_s=1.0, latency_s=1.0)
    20.0
    """
    return hosts / (gap_s + latency_s)
