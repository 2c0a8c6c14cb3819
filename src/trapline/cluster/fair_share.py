"""How many shards a worker should run: a fair share, by what its processor has left.

Every worker finds out by itself from what all say in the ledger, so all must come to the same
answer, and a small difference must not move a shard to and fro: moving one costs a checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trapline.core.ledger import ShardRow, WorkerRow

FULL: Final = 0.9  # of a processor: such a worker takes no more shards than others


def share_of(
    worker: str, workers: Sequence[WorkerRow], shards: Sequence[ShardRow]
) -> int:
    """How many shards the worker should have: equal parts, what is left over by name.

    Those that are full keep what they have, and the others share the rest.

    >>> rows = [ShardRow(s, 1, "", 0.0, 1.0, 1.0, "", 0.0, 0, 0.0) for s in range(5)]
    >>> team = [WorkerRow(name, 9.0, 0.1, False) for name in ("a", "b")]
    >>> share_of("a", team, rows), share_of("b", team, rows)
    (3, 2)
    """
    names = sorted(row.name for row in workers if not row.draining and row.left_s > 0.0)
    if worker not in names:
        return 0
    equal, over = divmod(len(shards), len(names))
    fair = equal + (names.index(worker) < over)
    load = next(row.load for row in workers if row.name == worker)
    held = _held(worker, shards)
    others_free = any(
        row.load < FULL and row.name != worker and not row.draining for row in workers
    )
    if load >= FULL and others_free and held:
        return min(fair, held)
    return fair


def shards_to_give(
    worker: str, workers: Sequence[WorkerRow], shards: Sequence[ShardRow]
) -> list[int]:
    """Shards that the worker has and others should: beyond its share, if somebody wants them."""
    share = share_of(worker, workers, shards)
    mine = [row.shard for row in shards if row.owner == worker and row.left_s > 0.0]
    wanting = [
        row.name
        for row in workers
        if row.name != worker
        and _held(row.name, shards) < share_of(row.name, workers, shards)
    ]
    free = sum(row.left_s <= 0.0 for row in shards)
    wanted = sum(
        share_of(name, workers, shards) - _held(name, shards) for name in wanting
    )
    surplus = min(len(mine) - share, wanted - free)
    return mine[len(mine) - surplus :] if surplus > 0 else []


def _held(worker: str, shards: Sequence[ShardRow]) -> int:
    return sum(row.owner == worker and row.left_s > 0.0 for row in shards)
