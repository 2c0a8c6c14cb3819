"""When leases of others end, by a clock that nobody can set.

The ledger ends them by its own clock, and that of a server may be set ahead: then all leases have
ended there at once, and their owners, who count on clocks like ours, visit for some seconds still.
Whoever looks on knows that it is too early.

>>> def look(left_s, now_s):
...     row = OwnerRow(0, 1, "w", left_s, 1.0, 1.0)
...     return ends.come_early([row], now_s, now_s)
>>> ends = LeaseEnds()
>>> look(left_s=15.0, now_s=100.0), look(left_s=-3586.0, now_s=101.0)
(False, True)
>>> look(left_s=-3600.0, now_s=115.0), look(left_s=3615.0, now_s=116.0)
(False, False)
>>> look(left_s=0.0, now_s=131.0)
False
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from trapline.core.ledger import LEASE_S, OwnerRow

TOLERATED_S: Final = 1.0  # less than the margin in which an owner does not visit


class LeaseEnds:
    """As one worker has seen them."""

    def __init__(self) -> None:
        self._ends_s: dict[tuple[int, int], float] = {}  # by shard and epoch

    def come_early(
        self, rows: Sequence[OwnerRow], asked_s: float, now_s: float
    ) -> bool:
        """Whether the ledger has ended a lease that lasts still; it was asked for `rows`, all that
        it has, between these two times.
        """
        left_s = {(row.shard, row.epoch): row.left_s for row in rows if row.owner}
        before_s = self._ends_s
        self._ends_s = {
            # the ledger's clock may have been set back, but no lease is longer
            turn: max(asked_s + min(left, LEASE_S), before_s.get(turn, -math.inf))
            for turn, left in left_s.items()
        }
        return any(
            left <= 0.0 and self._ends_s[turn] > now_s + TOLERATED_S
            for turn, left in left_s.items()
        )
