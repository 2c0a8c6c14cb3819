"""A worker in the market: it bids for its shards, and as treasurer works towards the rates that
follow from all bids.
"""

from __future__ import annotations

import math
from typing import Final

from trapline.core.ledger import Bid, Founding, Ledger
from trapline.theory.treasury import market_targets, settle_rates

TRIES: Final = 3  # to set rates, if shards change hands meanwhile


class Trader:
    def __init__(self, worker: str, ledger: Ledger, founding: Founding) -> None:
        self._worker = worker
        self._ledger = ledger
        self._founding = founding
        # rates that this worker, the treasurer, works towards; none = another one is
        self._targets: dict[int, float] = {}

    def bid(self, bids: list[Bid]) -> None:
        """Bid for some shards; whoever is treasurer by then finds what all should have."""
        self._targets = {}
        budget_per_s = self._budget_per_s()
        if budget_per_s == math.inf:
            return
        self._ledger.bid(bids)
        if self._ledger.be_treasurer(self._worker):
            rows = self._ledger.owners()
            self._targets = market_targets(rows, self._ledger.bids(), budget_per_s)

    def settle(self) -> None:
        """Grant what may be granted by now: raises follow when the cuts were heard."""
        for _ in range(TRIES if self._targets else 0):
            rows = self._ledger.owners()
            rates = settle_rates(rows, self._targets, self._budget_per_s())
            changed = any(rates[row.shard] != row.rate_per_s for row in rows)
            if not changed or self._ledger.grant(self._worker, rates):
                break

    def _budget_per_s(self) -> float:
        """People may have changed it."""
        return (self._ledger.founding() or self._founding).budget_per_s
