"""How fresh a collection is now, and how much it holds of what is known: estimates with bands."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.theory.planning.page_gains import Floats

_NINE_IN_TEN: Final = 1.645  # standard deviations on either side
_IN_THE_END: Final = 0.2  # logarithm of the common error,
_AT_FIRST: Final = 4.0  # and what it has in addition at first,
_ENOUGH: Final = 40.0  # until so many pages halve that


class ShareBand(NamedTuple):
    value: float
    low: float
    high: float


def fresh_chances(rates: Floats, weights: Floats, age_s: Floats) -> Floats:
    """For each page the chance that it has not changed since it was seen, age_s ago: Σ w·e^(−D·t).

    >>> rates = np.array([1.0, 0.5])
    >>> fresh_chances(rates, np.array([[0.5, 0.5]]), np.array([2.0])).round(4).tolist()
    [0.2516]
    """
    found: Floats = np.einsum("ij,ij->i", weights, np.exp(-np.outer(age_s, rates)))
    return found


def fresh_share(chances: Floats, relevance: Floats) -> ShareBand:
    """Σ r·p / Σ r, where each page is fresh or not by its own chance p.

    >>> band = fresh_share(np.array([0.9] * 100), np.ones(100))
    >>> round(band.value, 2), round(band.low, 2), round(band.high, 2)
    (0.9, 0.85, 0.95)
    """
    total = float(relevance.sum())
    value = float(relevance @ chances) / total
    spread = math.sqrt(float(relevance**2 @ (chances * (1.0 - chances)))) / total
    return _around(value, _NINE_IN_TEN * spread)


def common_error(learnt_pages: int) -> float:
    """The factor by which all rates may be wrong together, nine times in ten: e⁴ where nothing was
    learnt yet, less than that by what pages have taught, and a fifth at last.

    It is an empirical rule, found in the laboratory.

    >>> round(common_error(0), 1), round(common_error(100), 2), round(common_error(10_000), 2)
    (66.7, 3.83, 1.24)
    """
    return math.exp(_IN_THE_END + _AT_FIRST / (1.0 + learnt_pages / _ENOUGH))


class Promise(NamedTuple):
    """What the fringe promises: the scores of pages lately fetched for the first time, how relevant
    they were, and the sum of the scores of those that wait.
    """

    promised: float
    kept: float
    waiting: float


def held_share(fresh: ShareBand, held: float, promise: Promise) -> ShareBand:
    """F·H/(H + E): of the relevance there is as far as links tell, the part that is held as it is.

    H is held, F of it fresh. E = waiting·kept/promised is expected on the fringe; kept is a count
    of relevant pages, known to about its square root.

    >>> fresh = ShareBand(1.0, 1.0, 1.0)
    >>> band = held_share(fresh, held=300.0, promise=Promise(50.0, 25.0, 200.0))
    >>> round(band.value, 3), round(band.low, 3), round(band.high, 3)
    (0.75, 0.693, 0.817)
    """
    expected = promise.waiting * promise.kept / promise.promised
    off = _NINE_IN_TEN / math.sqrt(max(promise.kept, 1.0))
    most = expected * (1.0 + off)
    least = expected * max(0.0, 1.0 - off)
    return ShareBand(
        fresh.value * held / (held + expected),
        fresh.low * held / (held + most),
        fresh.high * held / (held + least),
    )


def _around(value: float, off: float) -> ShareBand:
    return ShareBand(value, max(0.0, value - off), min(1.0, value + off))
