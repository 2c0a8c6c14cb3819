"""A mean over seeds with its interval: what a stochastic claim is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds and its 95 % interval (Student's t)."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> Estimate:
        """From at least two values.

        >>> found = Estimate.of([1.0, 2.0, 3.0])
        >>> found.mean, round(found.low, 3), round(found.high, 3)
        (2.0, -0.484, 4.484)
        """
        from scipy.stats import t

        mean = float(np.mean(values))
        count = len(values)
        half = float(t.ppf(0.975, count - 1) * np.std(values, ddof=1) / np.sqrt(count))
        return cls(mean, mean - half, mean + half)
