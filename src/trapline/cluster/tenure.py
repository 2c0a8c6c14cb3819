"""How long a worker may act for its shards, on a clock that nobody can set and that goes on while
the process stands still.

The ledger counts a lease from when it hears of it, the worker from before it asked: so the worker's
ends first. Visits end a margin before that.

>>> clock = iter([0.0, 5.0, 12.9, 13.1])
>>> tenure = Tenure(lambda: next(clock))
>>> tenure.renew(asked_s=0.0)
>>> tenure.is_good(), tenure.is_good(), tenure.is_good(), tenure.is_good()
(True, True, True, False)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from trapline.core.ledger import LEASE_S
from trapline.live.awake_loop import unstopped_s

MARGIN_S: Final = 2.0  # before a lease ends no visit begins


class Tenure:
    """Of one shard."""

    def __init__(self, clock: Callable[[], float] = unstopped_s) -> None:
        self._clock = clock
        self._ends_s = -math.inf
        self.is_over = False  # for good

    def renew(self, asked_s: float) -> None:
        """The ledger said yes to what it was asked at this time."""
        self._ends_s = max(self._ends_s, asked_s + LEASE_S)

    def end(self) -> None:
        """The shard is another's, or is given up."""
        self.is_over = True

    def is_good(self) -> bool:
        """Whether visits may be made."""
        return not self.is_over and self._clock() < self._ends_s - MARGIN_S
