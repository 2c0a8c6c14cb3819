"""Phases that have the moments of measured times: one law for two moments, one for three.

Measures of shape, both 1 for exponential times, are

    spread c = Var T/(E T)²,      tail = (2/3)·E T·E T³/(E T²)².

Times that vary less than exponential ones (c < 1) become k − 1 or k equal phases, k the whole
number with 1/k ≤ c < 1/(k−1) (Tijms, "Stochastic models", 1994, p. 358). Times that vary more
become two kinds of pages, a share p of them exponential of mean x and the rest of mean y, with
p·xⁱ + (1−p)·yⁱ = E[Tⁱ]/i! for i = 1, 2, 3 (Whitt 1982); of two moments, with p·x = (1−p)·y. Both
are Coxian.

>>> found = fit_moments(Moments(mean=1.0, spread=4.0, tail=2.0))
>>> [round(found.moment(order), 9) for order in (1, 2, 3)]
[1.0, 5.0, 75.0]
>>> fit_moments(Moments(mean=2.0, spread=0.5)).rates
(1.0, 1.0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.queueing.coxian import Coxian

_MOST_PHASES: Final = 16
# two kinds of pages have a tail above 1; nearer to it one kind would take no time at all
_LEAST_TAIL: Final = 1.02
_LEAST_EXCESS: Final = 1e-6  # of the spread above 1, from which on there are two kinds


@dataclass(frozen=True, slots=True)
class Moments:
    """What is known of a law of times; without `tail`, two moments only."""

    mean: float
    spread: float
    tail: float | None = None

    @classmethod
    def of_sums(
        cls,
        count: float,
        first: float,
        second: float,
        third: float,
    ) -> Moments:
        """From the number of times and the sums of their powers."""
        mean = first / count
        square = second / count
        tail = mean * (third / count) / square**2 / 1.5
        return cls(mean, max(square / mean**2 - 1.0, 0.0), tail)

    @classmethod
    def of_times(
        cls,
        times: Iterable[float],
    ) -> Moments:
        """Of measured times.

        >>> Moments.of_times([1.0, 1.0, 4.0]).spread
        0.5
        """
        found = np.array(list(times), dtype=float)
        if not len(found) or not (np.isfinite(found).all() and (found >= 0.0).all()):
            raise BadNumber("the list of times", found, "numbers from 0 on")
        check_rate("the mean time", found.mean(), "what takes no time needs no queue")
        sums = [float((found**power).sum()) for power in (1, 2, 3)]
        return cls.of_sums(len(found), *sums)


def fit_moments(
    moments: Moments,
    most_phases: int = _MOST_PHASES,
) -> Coxian:
    """The law in phases with these moments, or with the nearest ones that phases can have.

    Fewer phases than 1/spread cannot vary so little: `most_phases` equal ones are taken then.
    """
    check_count("the largest number of phases", most_phases, "time takes place in one")
    if not 0.0 <= moments.spread < math.inf:
        raise BadNumber("the spread of times", moments.spread, "a number from 0 on")
    if most_phases > 1 and moments.spread > 1.0 + _LEAST_EXCESS:
        return _two_kinds(moments).with_mean(moments.mean)
    return _equal_phases(min(moments.spread, 1.0), most_phases).with_mean(moments.mean)


def _equal_phases(
    spread: float,
    most: int,
) -> Coxian:
    """k phases of rate 1, of which the last is left out with chance p."""
    if spread * most <= 1.0:
        return Coxian.erlang(float(most), most)
    phases = math.ceil(1.0 / spread - 1e-9)
    root = math.sqrt(max(phases * (1.0 + spread) - phases**2 * spread, 0.0))
    left_out = max((phases * spread - root) / (1.0 + spread), 0.0)
    goes_on = [1.0] * (phases - 1) + [0.0]
    if phases > 1:
        goes_on[-2] = 1.0 - left_out
    return Coxian((1.0,) * phases, tuple(goes_on))


def _two_kinds(moments: Moments) -> Coxian:
    """Of mean 1. A page of the slow kind is a fast one that goes on: the same law."""
    second = (moments.spread + 1.0) / 2.0
    if moments.tail is None:
        root = math.sqrt((moments.spread - 1.0) / (moments.spread + 1.0))
        fast = 1.0 / (1.0 + root)
        slow = 1.0 / (1.0 - root)
    else:
        third = max(moments.tail, _LEAST_TAIL) * second**2
        total = (third - second) / (second - 1.0)
        product = total - second
        root = math.sqrt(max(total**2 / 4.0 - product, 0.0))
        slow = total / 2.0 + root
        fast = product / slow
    share = (slow - 1.0) / (slow - fast)  # of the fast kind
    goes_on = (1.0 - share) * (1.0 - fast / slow)
    return Coxian((1.0 / fast, 1.0 / slow), (goes_on, 0.0))
