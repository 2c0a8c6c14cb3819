"""Rates of all shards from their bids: one price, and never more together than the budget.

A cut holds as soon as it is granted. A raise waits until every cut was heard, or the lease of who
should have heard it has ended: what is *in force* (granted, or still spent by an owner that has
not heard) never adds up to more than the budget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trapline.core.ledger import Bid, ShardRow
from trapline.theory.clearing import clear

LEAST: Final = 0.01  # of an equal share: every price stays known


def clear_market(
    rows: Sequence[ShardRow], bids: Sequence[Bid], budget_per_s: float
) -> dict[int, float]:
    """The rates to grant now. Shards that have never bid keep what they have."""
    if not bids:
        return {}
    return settle_rates(rows, clear(bids, budget_per_s).per_s, budget_per_s)


def settle_rates(
    rows: Sequence[ShardRow], targets: Mapping[int, float], budget_per_s: float
) -> dict[int, float]:
    """Towards these targets, as far as is safe now.

    >>> def row(shard, granted, heard):
    ...     return ShardRow(shard, 1, "w", 9.0, granted, heard, "", 0.0, 0, 0.0)
    >>> settle_rates([row(0, 5.0, 5.0), row(1, 5.0, 5.0)], {0: 8.0, 1: 2.0}, 10.0)
    {0: 5.0, 1: 2.0}
    >>> settle_rates([row(0, 5.0, 5.0), row(1, 2.0, 2.0)], {0: 8.0, 1: 2.0}, 10.0)
    {0: 8.0, 1: 2.0}
    """
    floor = LEAST * budget_per_s / max(len(rows), 1)
    wanted = {row.shard: max(floor, _target(row, targets, floor)) for row in rows}
    excess = sum(wanted.values()) / budget_per_s
    if excess > 1.0:
        wanted = {shard: rate / excess for shard, rate in wanted.items()}
    granted = {row.shard: min(row.rate_per_s, wanted[row.shard]) for row in rows}
    in_force = sum(max(granted[row.shard], _spending(row)) for row in rows)
    # who still spends more than it is granted from now on gets nothing on top of that
    raises = {
        row.shard: max(0.0, wanted[row.shard] - max(granted[row.shard], _spending(row)))
        for row in rows
    }
    room = max(0.0, budget_per_s - in_force)
    share = min(1.0, room / total) if (total := sum(raises.values())) > 0.0 else 0.0
    for row in rows:
        if raises[row.shard] > 0.0:
            base = max(granted[row.shard], _spending(row))
            granted[row.shard] = base + share * raises[row.shard]
    return granted


def _target(row: ShardRow, targets: Mapping[int, float], floor: float) -> float:
    """What a dead shard was granted is free for others; who has not bid keeps its rate."""
    if row.left_s <= 0.0 and row.epoch > 0:
        return floor
    return targets.get(row.shard, row.rate_per_s)


def _spending(row: ShardRow) -> float:
    """By whoever runs it now."""
    return row.heard_per_s if row.left_s > 0.0 else 0.0
