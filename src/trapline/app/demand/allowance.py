"""How much is counted at most: what people do comes slowly, what scripts do need not count."""

from __future__ import annotations

import math


class Allowance:
    """So many a second; what was not used is saved, up to `most`.

    >>> allowance = Allowance(per_s=1.0, most=2.0)
    >>> [allowance.spend(now_s) for now_s in (0.0, 0.0, 0.0, 1.0, 1.0)]
    [True, True, False, True, False]
    """

    def __init__(self, per_s: float, most: float) -> None:
        self._per_s = per_s
        self._most = most
        self._left = most
        self._at_s = -math.inf

    def spend(self, now_s: float) -> bool:
        """False = nothing is left. Seconds never decrease."""
        if self._at_s > -math.inf:
            earned = (now_s - self._at_s) * self._per_s
            self._left = min(self._most, self._left + earned)
        self._at_s = now_s
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
