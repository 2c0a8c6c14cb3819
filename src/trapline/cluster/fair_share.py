"""How many shards a worker should run: a fair share, by what its processor has left.

Every worker finds out by itself from what all say in the ledger, so all must come to the same
answer, and a small difference must not move a shard to and fro: moving one costs a checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trapline.core.ledger import LEASE_S, RENEW_S, OwnerRow, WorkerRow

SILENT_S: Final = 2.0 * RENEW_S  # whoever says nothing for so long is given nothing
FULL: Final = 0.9  # of a processor: such a worker takes no more shards than others


def share_of(
    worker: str, workers: Sequence[WorkerRow], shards: Sequence[OwnerRow]
) -> int:
    """How many shards the worker should have: equal parts, and what is left over stays where it is.

    Those that are full keep what they have, and the others share the rest.

    >>> rows = [OwnerRow(s, 1, "", 0.0, 1.0, 1.0) for s in range(5)]
    >>> team = [WorkerRow(name, 9.0, 0.1, False) for name in ("a", "b")]
    >>> share_of("a", team, rows), share_of("b", team, rows)
    (3, 2)
    """
    return _shares(workers, shards).get(worker, 0)


def shards_to_give(
    worker: str, workers: Sequence[WorkerRow], shards: Sequence[OwnerRow]
) -> list[int]:
    """Shards that the worker has and others should: beyond its share, if somebody wants them."""
    shares = _shares(workers, shards)
    mine = [row.shard for row in shards if row.owner == worker and row.left_s > 0.0]
    heard_of = [row.name for row in workers if row.left_s > LEASE_S - SILENT_S]
    lacking = [
        shares.get(name, 0) - _held(name, shards) for name in heard_of if name != worker
    ]
    wanted = sum(count for count in lacking if count > 0)
    free = sum(row.left_s <= 0.0 for row in shards)
    surplus = min(len(mine) - shares.get(worker, 0), wanted - free)
    return mine[len(mine) - surplus :] if surplus > 0 else []


def _shares(workers: Sequence[WorkerRow], shards: Sequence[OwnerRow]) -> dict[str, int]:
    """Of all who are there. They add up to all shards: none is left to nobody."""
    there = [row for row in workers if not row.draining and row.left_s > 0.0]
    held = {row.name: _held(row.name, shards) for row in there}
    fair = _parts(len(shards), held)
    full = {row.name for row in there if row.load >= FULL}
    # whoever has none at all has just begun, and is full of that
    kept = {name: min(fair[name], held[name]) for name in full if held[name]}
    others = {name: held[name] for name in held if name not in kept}
    if not others:
        return fair
    return kept | _parts(len(shards) - sum(kept.values()), others)


def _parts(count: int, held: Mapping[str, int]) -> dict[str, int]:
    """Equal ones; what is left over goes to whoever holds most already."""
    if not held:
        return {}
    equal, over = divmod(count, len(held))
    names = sorted(held, key=lambda name: (-held[name], name))
    return {name: equal + (place < over) for place, name in enumerate(names)}


def _held(worker: str, shards: Sequence[OwnerRow]) -> int:
    return sum(row.owner == worker and row.left_s > 0.0 for row in shards)
