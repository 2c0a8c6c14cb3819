"""A mean over seeds with its interval: what a claim about chance is made of.

It is apart from the sweep because reports and figures need it, and they start no processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.laboratory.study.report import Cell, Row


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds and its 95 % interval (Student's t)."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Estimate:
        """From at least two values.

        >>> found = Estimate.of([1.0, 2.0, 3.0])
        >>> found.mean, round(found.low, 3), round(found.high, 3)
        (2.0, -0.484, 4.484)
        """
        from scipy.stats import t

        numbers = np.array(list(values), np.float64)
        mean = float(np.mean(numbers))
        count = len(numbers)
        half = float(t.ppf(0.975, count - 1) * np.std(numbers, ddof=1) / np.sqrt(count))
        return cls(mean, mean - half, mean + half)

    @classmethod
    def of_columns(cls, runs: ArrayLike) -> list[Estimate]:
        """One for each column; a row of `runs` is a seed."""
        found: NDArray[np.float64] = np.asarray(runs, np.float64)
        return [cls.of(column) for column in found.T]


def estimate_row(
    name: str, values: Iterable[float], paper: Cell = None, more: Row | None = None
) -> Row:
    """`ours` is the mean of the values, one from each seed, with its interval.

    `more` are other columns, which stand before `seeds`.

    >>> row = estimate_row("heads", [0.4, 0.5, 0.6], paper=0.5)
    >>> row["id"], row["paper"], round(float(row["ours"]), 6), row["seeds"]
    ('heads', 0.5, 0.5, 3)
    """
    numbers = list(values)
    found = Estimate.of(numbers)
    return {
        "id": name,
        "paper": paper,
        "ours": found.mean,
        "low": found.low,
        "high": found.high,
        **(more or {}),
        "seeds": len(numbers),
    }
