"""What pages are worth to those who ask for them: a factor on `worth`, bounded.

Whoever sees or opens a result would rather have it fresh. If readers were all that counts, the
worth of a page would be how often it is asked for. It is worth its relevance, and as much again if
it is asked for as often as is usual; in proportion beyond that, up to `MOST`. A few counts prove
little, so `ENOUGH` is added to what is usual. In the laboratory (`oasis/demand`) this brings more
than a logarithm of the counts, which makes all pages of a busy engine equal.
"""

from __future__ import annotations

from typing import Final

HALF_LIFE_D: Final = 30.0  # days after which what was counted counts half
SHOWN: Final = 0.1  # of an opening: most results that are shown interest nobody
ENOUGH: Final = 8.0  # openings: fewer are no habit
MOST: Final = 4.0  # times its worth, whatever is counted


def asked_for(shown: float, opened: float) -> float:
    """How much a page is asked for, in openings.

    >>> asked_for(shown=40, opened=3)
    7.0
    """
    return opened + SHOWN * shown


def demand_factor(asked: float, usual: float, gain: float = 1.0) -> float:
    """What the worth of a page is multiplied with, in [1, MOST]; `gain` 0 = always 1.

    `usual` is how much a page is asked for on average.

    >>> demand_factor(0.0, usual=2.0), demand_factor(7.0, usual=0.75), demand_factor(1e9, usual=9.0)
    (1.0, 1.8, 4.0)
    """
    return 1.0 + min(MOST - 1.0, gain * asked / (usual + ENOUGH))


def fade(days: float) -> float:
    """What is left of a count after so many days; one of a day to come counts whole.

    >>> fade(0), fade(30), fade(60), fade(-1)
    (1.0, 0.5, 0.25, 1.0)
    """
    return float(0.5 ** (max(0.0, days) / HALF_LIFE_D))
