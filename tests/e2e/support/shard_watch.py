"""Who owned which shard when, as the ledger told: written down while workers are harmed."""

from __future__ import annotations

import threading
import time
from typing import Final, NamedTuple

from trapline.core.errors import StoreAway
from trapline.core.ledger import Ledger

LOOK_S: Final = 0.1


class Turn(NamedTuple):
    """A shard got an owner."""

    at_s: float
    shard: int
    epoch: int


class ShardWatch(threading.Thread):
    """`ledger` is its own."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(name="shard watch", daemon=True)
        self._ledger = ledger
        self._over = threading.Event()
        self._epochs: dict[int, int] = {}
        self.turns: list[Turn] = []

    def run(self) -> None:
        while not self._over.wait(LOOK_S):
            try:
                self._look()
            except StoreAway:
                continue

    def _look(self) -> None:
        for row in self._ledger.shards():
            if row.epoch > self._epochs.get(row.shard, 0):
                self._epochs[row.shard] = row.epoch
                self.turns.append(Turn(time.monotonic(), row.shard, row.epoch))

    def end(self) -> None:
        self._over.set()
        self.join()
        self._ledger.close()

    def next_owner_s(self, shard: int, epoch: int) -> float | None:
        """When somebody owned a shard after this epoch; None = nobody yet."""
        later = (
            turn.at_s
            for turn in list(self.turns)
            if turn.shard == shard and turn.epoch > epoch
        )
        return next(later, None)
