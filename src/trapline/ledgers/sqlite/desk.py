"""What every part of the ledger in SQLite works with: the file, its lock and the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import apsw

from trapline.core.errors import Fenced
from trapline.core.ledger import LEDGER_FILE
from trapline.ledgers.sqlite.file import damage_named, open_file
from trapline.ledgers.sqlite.machine_clock import MachineClock, this_machine


class Desk:
    """One connection; threads of a process take turns, processes wait for each other in SQLite.

    It must not be carried over a fork.
    """

    def __init__(
        self, folder: Path, *, create: bool = True, clock: MachineClock | None = None
    ) -> None:
        self._folder = folder
        self._path = folder / LEDGER_FILE
        self._clock = clock or this_machine()
        self._turn = Lock()
        self._connection = open_file(folder, create=create)

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """All that is done inside is durable in the end, or undone."""
        with (
            self._turn,
            damage_named(self._path, self._connection),
            self._connection as connection,
        ):
            yield connection

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._turn, damage_named(self._path, self._connection):
            return list(self._connection.execute(sql, values))

    def _ends(self, after_s: float) -> tuple[str, float]:
        """(boot, until_s) of what lasts so long from now on."""
        return self._clock.boot, self._clock.seconds() + after_s

    def _left_s(self, boot: str, until_s: float) -> float:
        """How long that still is; of another boot 0."""
        return until_s - self._clock.seconds() if boot == self._clock.boot else 0.0

    def close(self) -> None:
        with self._turn:
            self._connection.close()


def check_epoch(connection: apsw.Connection, shard: int, epoch: int) -> None:
    """Raise Fenced unless this is the shard's epoch."""
    sql = "SELECT 1 FROM shards WHERE shard = ? AND epoch = ?"
    if connection.execute(sql, (shard, epoch)).fetchone() is None:
        raise Fenced(shard, epoch)
