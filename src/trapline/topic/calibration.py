"""From likeness to relevance: where "belongs" begins, for topics given by words, by examples, or
both.

    relevance = clip(3/2 · likeness/middle − 1, 0, 1)

so that a page whose likeness is the middle belongs with relevance 0.5, one at ⅔ of it has 0, one at
4/3 of it 1. With the middle of five keywords and 15 examples, 0.154, that is nearly clip((likeness
− 0.1)/0.1, 0, 1).

The middle follows from how cosines behave, not from any topic: a page that names one keyword of k
in passing has the more likeness to them the fewer they are (0.06 + 0.04/k); it is the more like a
centroid the more examples are in it, growth(n) = √(n/(1 + (n−1)/5)) where two pages of a topic have
a cosine of about 1/5; keywords and examples mixed half and half add up. What the examples
themselves say then moves it: how like each is to the topic that the others make, and how like
counter-examples are to it.

One or two examples say nothing of how pages of the topic differ, and where all pages look alike (a
uniform site) all would belong. So the pages met have their say: likeness to the topic splits them
into two groups (Otsu's rule: the means of both are as far apart as can be), and the middle rises to
where they part, or to where a tenth of them belongs. With k examples its say has the weight 2/k.

>>> [round(relevance_of(likeness, middle=0.15), 9) for likeness in (0.1, 0.15, 0.2)]
[0.0, 0.5, 1.0]
>>> given = ((1, 0), (5, 0), (0, 15), (5, 15))
>>> [round(first_middle(keywords, examples), 3) for keywords, examples in given]
[0.1, 0.068, 0.15, 0.154]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

EXAMPLES: Final = 0.15  # 15 of them
FEW: Final = 3  # examples: fewer say nothing about how they differ
_LIKE: Final = 0.2  # two pages of one topic
_HALF: Final = 0.6  # of the likeness that an example has to the others is the middle
_DOUBT: Final = 5.0  # examples that the first guess is worth
_COUNTER_DOUBT: Final = 3.0
_FEWEST_MET: Final = 8  # pages, to say anything
_MET_DOUBT: Final = 3.0  # pages that the first guess is worth
_LEAST_SHARE: Final = 0.1  # of the pages met belong where the pages met decide
_HIGHEST: Final = 0.9  # so that examples themselves belong


class Calibration(NamedTuple):
    """What a middle follows from."""

    keywords: int
    among: Sequence[float]  # the likeness of each example to the topic without it
    against: Sequence[float] = ()  # of counter-examples to the topic
    met: Sequence[float] = ()  # of pages met, other than examples


def relevance_of(likeness: float, middle: float) -> float:
    return min(1.0, max(0.0, 1.5 * likeness / middle - 1.0))


def growth(examples: int) -> float:
    """How much more like a page is to a centroid of so many examples than to one of them."""
    return math.sqrt(examples / (1.0 + _LIKE * (examples - 1)))


def first_middle(keywords: int, examples: int) -> float:
    """Before the examples are looked at."""
    of_keywords = 0.06 + 0.04 / keywords if keywords else 0.0
    of_examples = EXAMPLES * growth(examples) / growth(15) if examples else 0.0
    if keywords and examples:
        return (of_keywords + of_examples) / math.sqrt(2.0)
    return of_examples or of_keywords or EXAMPLES


def middle_of(given: Calibration) -> float:
    """By the number of keywords and examples, moved by what examples, pages and counter-examples
    say.

    >>> alike, different = (Calibration(5, [like] * 15) for like in (0.5, 0.15))
    >>> middle_of(alike) > first_middle(5, 15) > middle_of(different)
    True
    >>> uniform_site = [0.4] * 80 + [0.6] * 20
    >>> [round(middle_of(Calibration(0, [1.0], met=met)), 2) for met in ([], uniform_site)]
    [0.08, 0.47]
    """
    middle = first_middle(given.keywords, len(given.among))
    examples = len(given.among)
    usual = float(np.median(given.among)) if examples >= FEW else 0.0
    if usual > 0.0:
        moved = min(1.4, max(0.8, _HALF * usual / middle))
        middle *= moved ** (examples / (examples + _DOUBT))
    if examples:
        middle = _raise_by_met(middle, examples, given.met)
    if given.against:
        middle = _raise_by_counter_examples(middle, usual, given.against)
    return middle


def _raise_by_met(middle: float, examples: int, met: Sequence[float]) -> float:
    """Never lowered: a robot that has met nothing of its topic yet must not take what it has."""
    pages = len(met)
    if pages < _FEWEST_MET:
        return middle
    wanted = min(split_of(met), float(np.quantile(met, 1.0 - _LEAST_SHARE)), _HIGHEST)
    if wanted <= middle:
        return middle
    say = min(1.0, (FEW - 1) / examples) * pages / (pages + _MET_DOUBT)
    return float(middle * (wanted / middle) ** say)


def split_of(met: Sequence[float]) -> float:
    """Where likeness parts two groups: between their means, which are as far apart as can be, on
    the scale of square roots (many pages have little likeness, few have much).

    >>> round(split_of([0.01] * 9 + [0.49]), 2)
    0.16
    """
    roots = np.sqrt(np.sort(np.maximum(met, 0.0)))
    below = np.arange(1, len(roots))
    sums = np.cumsum(roots)
    low = sums[:-1] / below
    high = (sums[-1] - sums[:-1]) / below[::-1]
    best = int(np.argmax(below * below[::-1] * (high - low) ** 2))
    return float(0.5 * (low[best] + high[best])) ** 2


def _raise_by_counter_examples(
    middle: float, usual: float, against: Sequence[float]
) -> float:
    above = 1.2 * float(np.quantile(against, 0.75))
    # examples go on to belong
    wanted = min(above, 0.9 * usual) if usual > 0.0 else above
    if wanted <= middle:
        return middle
    return float(
        middle * (wanted / middle) ** (len(against) / (len(against) + _COUNTER_DOUBT))
    )
