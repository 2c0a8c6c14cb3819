"""Indexing times of any law: what arrives while one page is indexed.

For the queues that `talim` names (sections 5 and 6) as a useful generalisation; see
general_queue.py.

>>> IndexingTimes.deterministic(mean=2.0).arrivals(rate=0.5, most=3).round(4).tolist()
[0.3679, 0.3679, 0.1839, 0.0613]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.queueing.control import Floats

# parts of a mixture at a time: a million samples need no million rows
_BLOCK: Final = 1024
_FLATTEST: Final = 1e-12  # the least shape; below it hardly any page takes time at all
# the shape from which on a time does not vary by one part in 10^8
_STEADIEST: Final = 1e17


@dataclass(frozen=True, slots=True)
class IndexingTimes:
    """How long a page is indexed: a mixture of Gamma laws.

    Shape 1 is exponential; shape ∞ a time that never varies.

    The pages that arrive meanwhile are then a mixture of negative binomials, and of Poisson laws
    for shape ∞.

    >>> IndexingTimes.erlang(mean=2.0, phases=4).variance
    1.0
    """

    chances: tuple[float, ...]
    means: tuple[float, ...]
    shapes: tuple[float, ...]

    def __post_init__(self) -> None:
        chances = _numbers("chances", self.chances)
        means = _numbers("mean indexing times", self.means)
        if not len(chances) == len(means) == len(self.shapes):
            raise BadNumber(
                "the number of chances",
                len(chances),
                f"that of the parts ({len(means)})",
            )
        if not math.isclose(chances.sum(), 1.0, rel_tol=1e-9):
            raise BadNumber("the sum of the chances", chances.sum(), "1")
        if not all(shape >= _FLATTEST for shape in self.shapes):
            raise BadNumber(
                "the shape (mean² / variance)",
                min(self.shapes),
                f"at least {_FLATTEST}",
            )
        check_rate(
            "the mean indexing time", self.mean, "pages that take no time need no queue"
        )

    @classmethod
    def exponential(cls, rate: float) -> IndexingTimes:
        return cls.hyperexponential((1.0,), (rate,))

    @classmethod
    def deterministic(cls, mean: float) -> IndexingTimes:
        return cls((1.0,), (mean,), (math.inf,))

    @classmethod
    def erlang(cls, mean: float, phases: int) -> IndexingTimes:
        """A sum of so many exponential phases."""
        check_count("the number of phases", phases, "each takes its time")
        return cls((1.0,), (mean,), (float(phases),))

    @classmethod
    def hyperexponential(
        cls, chances: Iterable[float], rates: Iterable[float]
    ) -> IndexingTimes:
        """Exponential at one of several rates, each with its chance."""
        chances = tuple(chances)
        rates = tuple(rates)
        for rate in rates:
            check_rate("the indexing rate", rate, "pages a unit of time")
        return cls(chances, tuple(1.0 / rate for rate in rates), (1.0,) * len(rates))

    @classmethod
    def from_moments(cls, mean: float, variance: float) -> IndexingTimes:
        """The Gamma law of this mean and variance; without variance a time that never varies."""
        check_rate(
            "the mean indexing time", mean, "pages that take no time need no queue"
        )
        if not (math.isfinite(variance) and variance >= 0.0):
            raise BadNumber(
                "the variance of indexing times", variance, "a number, at least 0"
            )
        return cls((1.0,), (mean,), (mean / variance * mean if variance else math.inf,))

    @classmethod
    def from_samples(cls, times: Iterable[float]) -> IndexingTimes:
        """Each of the measured times as often as it was measured."""
        seen, counts = np.unique(_numbers("indexing times", times), return_counts=True)
        return cls(
            tuple((counts / counts.sum()).tolist()),
            tuple(seen.tolist()),
            (math.inf,) * len(seen),
        )

    @property
    def mean(self) -> float:
        return math.fsum(
            chance * mean for chance, mean in zip(self.chances, self.means, strict=True)
        )

    @property
    def variance(self) -> float:
        parts = zip(self.chances, self.means, self.shapes, strict=True)
        centre = self.mean
        return math.fsum(
            chance * ((mean - centre) ** 2 + mean * mean / shape)
            for chance, mean, shape in parts
        )

    def arrivals(self, rate: float, most: int) -> Floats:
        """P(A = j), j = 0 … most, of the A pages that arrive at this rate during one indexing."""
        if most < 0:
            raise BadNumber("the largest number of arrivals", most, "at least 0")
        total = np.zeros(most + 1)
        for chances, means, shapes in self._parts(rate):
            total += chances @ _count_chances(means, shapes, most)
        return total

    def more_arrivals(self, rate: float, most: int) -> Floats:
        """P(A > j), j = 0 … most: summed from the far end, so that small chances keep
        their digits.
        """
        last = sum(
            float(chances @ _at_least(most + 1, means, shapes))
            for chances, means, shapes in self._parts(rate)
        )
        return np.cumsum(np.append(self.arrivals(rate, most)[1:], last)[::-1])[::-1]

    def surplus(self, rate: float, room: int) -> float:
        """E(A − n)⁺ for n = `room` ≥ 1, the pages without a place: E[A; A > n] − n·P(A > n)."""
        total = 0.0
        for chances, means, shapes in self._parts(rate):
            arrived = means * _at_least(room, means, shapes, weighted=True)
            total += float(
                chances
                @ np.maximum(arrived - room * _at_least(room + 1, means, shapes), 0.0)
            )
        return total

    def _parts(self, rate: float) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Chances, mean numbers of arrivals and shapes, a block at a time."""
        check_rate("the rate of arrivals", rate, "pages a unit of time")
        chances = np.array(self.chances)
        means = rate * np.array(self.means)
        shapes = np.array(self.shapes)
        for first in range(0, len(chances), _BLOCK):
            part = slice(first, first + _BLOCK)
            yield chances[part], means[part], shapes[part]


def _count_chances(means: Floats, shapes: Floats, most: int) -> Floats:
    """[part, j] P(A = j) of negative binomials, by log P(A = j+1)/P(A = j); of Poisson laws where
    the shape is ∞.
    """
    j = np.arange(most)
    m = means[:, None]
    k = shapes[:, None]
    none = np.where(k > _STEADIEST, m, np.minimum(k, _STEADIEST) * np.log1p(m / k))
    with np.errstate(divide="ignore"):  # a measured time may be 0
        steps = np.log(m) - np.log1p(j) + np.log1p(j / k) - np.log1p(m / k)
    chances: Floats = np.exp(np.cumsum(np.concatenate((-none, steps), axis=1), axis=1))
    return chances


def _at_least(
    count: int, means: Floats, shapes: Floats, weighted: bool = False
) -> Floats:
    """[part] P(A ≥ count), count ≥ 1; `weighted` by A, count + 1 or more: a larger shape, the same
    odds.
    """
    from scipy.special import betainc, betaincc, gammainc

    shape = np.minimum(shapes, _STEADIEST)
    yes = means / (shape + means)
    no = shape / (shape + means)
    shape = shape + weighted
    # At whole shapes from 1e5 to 1e9 betainc takes another way and loses up to 8 digits (scipy
    # 1.17).
    shape = np.where(shape > 1e3, np.nextafter(shape, 0.0), shape)
    mixed = np.where(yes < no, betainc(count, shape, yes), betaincc(shape, count, no))
    return np.where(shapes > _STEADIEST, gammainc(count, means), mixed)


def _numbers(name: str, found: Iterable[float]) -> Floats:
    """One or more numbers, none below 0."""
    try:
        numbers = np.array(list(found), dtype=float)
    except (TypeError, ValueError) as error:
        raise BadNumber(f"the list of {name}", repr(found), "numbers") from error
    if numbers.ndim != 1 or not len(numbers):
        raise BadNumber(f"the list of {name}", repr(found), "one number or more")
    wrong = ~(np.isfinite(numbers) & (numbers >= 0.0))
    if wrong.any():
        raise BadNumber(f"one of the {name}", numbers[wrong][0], "a number, at least 0")
    return numbers
