"""Rates of all shards from their bids: one price, and never more together than the budget.

A cut holds as soon as it is granted. A raise waits until every cut was heard, or the lease of who
should have heard it had ended when it was granted. An owner spends either what it last said it had
heard, or what was granted since; so that these are two rates and no more, a shard is granted
nothing new before it has said that it heard the last word. What is *in force*, the greater of the
two, never adds up to more than the budget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trapline.core.ledger import Bid, OwnerRow
from trapline.theory.clearing import FLOOR, clear, sound_bids

# of the way to the rates that bids ask for, each time. Bids of shards that discover jump, and what
# is moved lies idle for some seconds: all the way at once, a fifth of the visits was not made
PACE: Final = 0.3


def market_targets(
    rows: Sequence[OwnerRow], bids: Sequence[Bid], budget_per_s: float
) -> dict[int, float]:
    """What the shards that run and have bid should have, at one price.

    Those that have never bid, or whose bid says nothing that could be meant, keep what they have:
    one such shard must not stop the market. What was a dead shard's is for the others.
    """
    runs = {row.shard for row in rows if row.left_s > 0.0}
    heard = sound_bids([bid for bid in bids if bid.shard in runs])
    bidders = {bid.shard for bid in heard}
    floor = _floor(rows, budget_per_s)
    kept = sum(_keep(row, floor) for row in rows if row.shard not in bidders)
    room = max(budget_per_s - kept, floor * len(bidders))
    if not heard:
        return {}
    granted = {row.shard: row.rate_per_s for row in rows}
    return _approach(granted, clear(heard, room).per_s, room)


def _approach(
    granted: Mapping[int, float], cleared: Mapping[int, float], room: float
) -> dict[int, float]:
    """Part of the way from what is granted: what moves is spent by nobody until it was heard.

    What nobody has goes to those that want more at once.

    >>> _approach({0: 5.0, 1: 5.0}, {0: 10.0, 1: 0.0}, room=10.0)
    {0: 6.5, 1: 3.5}
    >>> _approach({0: 5.0, 1: 5.0}, {0: 10.0, 1: 10.0}, room=20.0)
    {0: 10.0, 1: 10.0}
    """
    rates = {
        shard: granted[shard] + PACE * (rate - granted[shard])
        for shard, rate in cleared.items()
    }
    lacking = {shard: max(0.0, cleared[shard] - rate) for shard, rate in rates.items()}
    total = sum(lacking.values())
    spare = room - sum(rates.values())
    share = min(1.0, max(0.0, spare) / total) if total > 0.0 else 0.0
    return {shard: rate + share * lacking[shard] for shard, rate in rates.items()}


def settle_rates(
    rows: Sequence[OwnerRow], targets: Mapping[int, float], budget_per_s: float
) -> dict[int, float]:
    """Towards these targets, as far as is safe now.

    >>> def row(shard, granted, heard):
    ...     return OwnerRow(shard, 1, "w", 9.0, granted, heard)
    >>> settle_rates([row(0, 5.0, 5.0), row(1, 5.0, 5.0)], {0: 8.0, 1: 2.0}, 10.0)
    {0: 5.0, 1: 2.0}
    >>> settle_rates([row(0, 5.0, 5.0), row(1, 2.0, 5.0)], {0: 8.0, 1: 2.0}, 10.0)
    {0: 5.0, 1: 2.0}
    >>> settle_rates([row(0, 5.0, 5.0), row(1, 2.0, 2.0)], {0: 8.0, 1: 2.0}, 10.0)
    {0: 8.0, 1: 2.0}
    """
    wanted = _bound(rows, targets, budget_per_s)
    granted = {
        row.shard: min(row.rate_per_s, wanted[row.shard])
        if _has_heard(row)
        else row.rate_per_s
        for row in rows
    }
    in_force = {row.shard: max(granted[row.shard], _spending(row)) for row in rows}
    raises = {
        row.shard: max(0.0, wanted[row.shard] - in_force[row.shard])
        for row in rows
        if _has_heard(row)
    }
    room = max(0.0, budget_per_s - sum(in_force.values()))
    total = sum(raises.values())
    share = min(1.0, room / total) if total > 0.0 else 0.0
    for shard, more in raises.items():
        if share * more > 0.0:
            granted[shard] = in_force[shard] + share * more
    return granted


def _bound(
    rows: Sequence[OwnerRow], targets: Mapping[int, float], budget_per_s: float
) -> dict[int, float]:
    """The targets, made so that all together are no more than the budget."""
    floor = _floor(rows, budget_per_s)
    wanted = {
        row.shard: max(floor, targets.get(row.shard, _keep(row, floor))) for row in rows
    }
    excess = sum(wanted.values()) / budget_per_s
    if excess > 1.0:
        return {shard: rate / excess for shard, rate in wanted.items()}
    return wanted


def _floor(rows: Sequence[OwnerRow], budget_per_s: float) -> float:
    return FLOOR * budget_per_s / max(len(rows), 1)


def _keep(row: OwnerRow, floor: float) -> float:
    """Of a shard that is not in the market: of a dead one, hardly anything."""
    return floor if row.left_s <= 0.0 and row.epoch > 0 else row.rate_per_s


def _has_heard(row: OwnerRow) -> bool:
    """Whether its owner, if there is one, spends what is granted."""
    return row.left_s <= 0.0 or row.heard_per_s == row.rate_per_s


def _spending(row: OwnerRow) -> float:
    """By whoever runs it now, or takes it over before this is granted."""
    return row.heard_per_s if row.left_s > 0.0 else row.rate_per_s
