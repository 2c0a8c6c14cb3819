"""How many requests may go out: so many a second, with a reserve for a burst.

>>> budget = RequestBudget(per_second=2.0, burst=2.0, now_s=0.0)
>>> [budget.take(now_s) for now_s in (0.0, 0.1, 0.2, 0.7)]
[True, True, False, True]
"""

from __future__ import annotations


class RequestBudget:
    def __init__(self, per_second: float, burst: float, now_s: float = 0.0) -> None:
        self._per_second = per_second
        self._burst = burst
        self._left = burst
        self._at_s = now_s

    def take(self, now_s: float) -> bool:
        earned = max(0.0, now_s - self._at_s) * self._per_second
        self._left = min(self._burst, self._left + earned)
        self._at_s = max(self._at_s, now_s)
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class ShareBudget:
    """At most a share of all requests, with a few at the start.

    >>> budget = ShareBudget(share=0.5, reserve=0.0)
    >>> budget.note(2), budget.take(), budget.take()
    (None, True, False)
    """

    def __init__(self, share: float, reserve: float) -> None:
        self._share = share
        self._most = max(reserve, 1.0) + 9.0
        self._left = reserve

    def note(self, requests: int) -> None:
        self._left = min(self._most, self._left + self._share * requests)

    def take(self) -> bool:
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
