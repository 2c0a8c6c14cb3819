"""One moment of `store.sqlite`: what is read of it fits together while a robot writes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from trapline.core.errors import CheckpointLost
from trapline.core.storage import Checkpoint
from trapline.stores.sqlite.reader import SqliteReader

_TRIES: Final = 3  # to find checkpoint and journal in one piece, while a robot saves


class _Moment(NamedTuple):
    checkpoint: Checkpoint | None  # None = none was made


class SnapshotReader(SqliteReader):
    """A reader that can hold still."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._moment: _Moment | None = None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All is read as of one moment inside: tables, journal, and the checkpoint before it.

        For a short time, and for a store that nobody else reads through: others would see the past,
        and the write-ahead log grows meanwhile.
        """
        self._hold_still()
        try:
            yield
        finally:
            self._moment = None
            self._rows("ROLLBACK")

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """The same of the tables alone: what the robot schedules is not asked for, and the
        checkpoint, which may be large, is not read.
        """
        self._rows("BEGIN DEFERRED")
        try:
            yield
        finally:
            self._rows("ROLLBACK")

    def load_checkpoint(self) -> Checkpoint | None:
        # In this order: while a robot works, the newest file is never older than the journal's
        # beginning.
        dropped = self._calls_dropped()
        moment = self._moment
        checkpoint = self._files.newest() if moment is None else moment.checkpoint
        if dropped > (checkpoint.calls if checkpoint else 0):
            raise CheckpointLost(self._path.parent, dropped)
        return checkpoint

    def _hold_still(self) -> None:
        """The checkpoint comes first: whatever it knows was committed before it was saved."""
        for tries in range(1, _TRIES + 1):
            self._moment = _Moment(self._files.newest())
            self._rows("BEGIN DEFERRED")
            checkpoint = self._moment.checkpoint
            calls = checkpoint.calls if checkpoint else 0
            if self._calls_dropped() <= calls or tries == _TRIES:
                return
            # a newer one has just taken its place, or it is damaged
            self._rows("ROLLBACK")

    def _calls_dropped(self) -> int:
        return int(self._rows("SELECT calls_dropped FROM totals")[0][0])
