"""A fixed number of fetchers: the M/M/1/K queue of `talim`, section 2 (eq. 1–8, Lemma 1,
Proposition 1).

With load ρ = Nλ/μ the chance of i pages in the queue is ρ^i / S, S = Σ_{i=0..K} ρ^i, and the cost a
unit of time

    C(ρ) = γ·P(empty) + λN·P(full) = (γ + μ·ρ^(K+1)) / S.

C'(ρ) has the sign of  μ·Σ_{i=0..K} (K+1−i)·ρ^(K+i) − γ·Σ_{i=1..K} i·ρ^(i−1): all powers below K
have negative, all from K on positive coefficients, so it changes sign exactly once (Descartes).
That is Lemma 1, and it holds for K = 1 too.

>>> starvation, full = empty_and_full(load=1.0, capacity=5)
>>> round(starvation, 6), round(full, 6)
(0.166667, 0.166667)
>>> round(best_load(capacity=5, weight=1.4), 6)
1.0
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber

Floats = NDArray[np.float64]


def empty_and_full(load: float, capacity: int) -> tuple[float, float]:
    """P(no page in the queue) and P(no place left). No 0/0 at load 1, no overflow at any load."""
    # powers of what is at most 1; a load above 1 is the queue seen from its other end
    small = min(load, 1.0 / load)
    total = float(np.power(small, np.arange(capacity + 1, dtype=float)).sum())
    near = 1.0 / total
    far = math.pow(small, capacity) / total
    return (near, far) if load <= 1.0 else (far, near)


@cache  # a robot asks for many plans of one queue
def best_load(capacity: int, weight: float) -> float:
    """ρ(γ, K): the load of least cost for `weight` γ/μ (Lemma 1). It is 1 at γ/μ = (K+2)/K."""
    steps = np.arange(1, capacity + 1, dtype=float)
    places = np.arange(capacity + 1, dtype=float)
    gain = np.log(steps) + math.log(weight)
    loss = np.log(capacity + 1 - places)

    # grows: the losing powers are all above the starving ones
    def balance(log_load: float) -> float:
        lost = np.logaddexp.reduce(loss + (capacity + places) * log_load)
        return float(lost - np.logaddexp.reduce(gain + (steps - 1) * log_load))

    if not 1e-300 < weight < 1e300:
        raise BadNumber(
            "the weight of starvation, γ/μ,", weight, "between 1e-300 and 1e300"
        )
    high = 1.0
    while balance(high) < 0.0:
        high *= 2.0
    low = -1.0
    while balance(low) > 0.0:
        low *= 2.0
    # until no number lies between them
    while (middle := (low + high) / 2.0) not in (low, high):
        low, high = (low, middle) if balance(middle) > 0.0 else (middle, high)
    return math.exp(low)


def endless_cost(load: float, weight: float, process_rate: float) -> float:
    """C(ρ, γ, ∞), the limit of a queue without end (eq. 16): below load 1 it starves, above it
    loses the surplus.
    """
    return weight * (1.0 - load) if load <= 1.0 else process_rate * (load - 1.0)
