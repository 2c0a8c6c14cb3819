"""What pages are worth to those who ask for them: a factor on `worth`, bounded.

Whoever sees or opens a result would rather have it fresh. A page that is asked for is worth more
than its relevance says, by a factor that grows with the logarithm of what was counted: the tenth
reader says less than the first, a script says hardly more than people do, and no count takes the
factor beyond `MOST`.
"""

from __future__ import annotations

import math
from typing import Final

HALF_LIFE_D: Final = 30.0  # days after which what was counted counts half
SHOWN: Final = 0.1  # of an opening: most results that are shown interest nobody
STEP: Final = 0.25  # of the worth, for each doubling of what was counted
MOST: Final = 4.0  # times its worth, whatever is counted


def demand_factor(shown: float, opened: float, gain: float = 1.0) -> float:
    """What the worth of a page is multiplied with, in [1, MOST]; `gain` 0 = always 1.

    >>> demand_factor(0, 0), demand_factor(40, 3), demand_factor(10**9, 10**9)
    (1.0, 1.75, 4.0)
    >>> demand_factor(40, 3, gain=2.0)
    2.5
    """
    asked = opened + SHOWN * shown
    return 1.0 + min(MOST - 1.0, gain * STEP * math.log2(1.0 + asked))


def fade(days: float) -> float:
    """What is left of a count after so many days; one of a day to come counts whole.

    >>> fade(0), fade(30), fade(60), fade(-1)
    (1.0, 0.5, 0.25, 1.0)
    """
    return float(0.5 ** (max(0.0, days) / HALF_LIFE_D))
