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

>>> [round(relevance_of(likeness, middle=0.15), 9) for likeness in (0.1, 0.15, 0.2)]
[0.0, 0.5, 1.0]
>>> given = ((1, 0), (5, 0), (0, 15), (5, 15))
>>> [round(first_middle(keywords, examples), 3) for keywords, examples in given]
[0.1, 0.068, 0.15, 0.154]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

EXAMPLES: Final = 0.15  # 15 of them
FEW: Final = 3  # examples: fewer say nothing about how they differ
_LIKE: Final = 0.2  # two pages of one topic
_HALF: Final = 0.6  # of the likeness that an example has to the others is the middle
_DOUBT: Final = 5.0  # examples that the first guess is worth
_COUNTER_DOUBT: Final = 3.0


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


def middle_of(keywords: int, among: Sequence[float], against: Sequence[float]) -> float:
    """`among`: the likeness of each example to the topic without it; `against`: of counter-examples
    to the topic.

    >>> alike, different = middle_of(5, [0.5] * 15, []), middle_of(5, [0.15] * 15, [])
    >>> alike > first_middle(5, 15) > different
    True
    """
    middle = first_middle(keywords, len(among))
    examples = len(among)
    usual = float(np.median(among)) if examples >= FEW else 0.0
    if usual > 0.0:
        moved = min(1.4, max(0.8, _HALF * usual / middle))
        middle *= moved ** (examples / (examples + _DOUBT))
    if against:
        above = 1.2 * float(np.quantile(against, 0.75))
        # examples go on to belong
        wanted = min(above, 0.9 * usual) if usual > 0.0 else above
        if wanted > middle:
            middle *= (wanted / middle) ** (
                len(against) / (len(against) + _COUNTER_DOUBT)
            )
    return middle
