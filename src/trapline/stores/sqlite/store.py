"""The durable store of one engine: `store.sqlite` and its checkpoints in one folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import IO

import apsw

from trapline.core.errors import FolderMissing
from trapline.core.ledger import Posting
from trapline.core.storage import Batch, Checkpoint, SteadyStore
from trapline.stores.lock_patience import LockPatience
from trapline.stores.sqlite.file import (
    COMMIT_MS,
    READER_S,
    check_header,
    check_tables,
    connect,
    create,
    damage_named,
    lock_folder,
)
from trapline.stores.sqlite.schema import upgrade
from trapline.stores.sqlite.shedding import shed_hosts
from trapline.stores.sqlite.snapshot import SnapshotReader
from trapline.stores.sqlite.writes import write_batch
from trapline.stores.text_counting import Refusals


class SqliteStore(SnapshotReader):
    """One robot writes, anybody may read at the same time, from other threads and other processes.

    There are two connections, each behind a lock of its own: a worker thread commits through one
    while the main thread reads through the other, and thanks to the write-ahead log neither waits.

    Raises FolderNewer, StoreCorrupt, FolderMissing (`read_only`), FolderUnwritable or FolderBusy
    before anything is written; StoreLocked when another program keeps a commit from being written,
    which may then be tried again; DiskFull when there is no room for a commit, of which nothing is
    then written.
    """

    def __init__(
        self,
        folder: Path,
        *,
        read_only: bool = False,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`say` tells people that another program's lock is waited for."""
        super().__init__(folder)
        self._patience = LockPatience(
            self._path, say, READER_S if read_only else math.inf
        )
        self._writing = Lock()
        self._writer: apsw.Connection | None = None
        self._refusals = Refusals()
        self._lock_file: IO[bytes] | None = None
        if self._path.exists():
            check_header(self._path)
        elif read_only:
            raise FolderMissing(folder)
        if not read_only:
            self._lock_file = lock_folder(folder)
        try:
            self._open(read_only)
        except BaseException:
            self.close()
            raise

    def _open(self, read_only: bool) -> None:
        if not self._path.exists():
            create(self._path)
        patience = self._patience
        check_tables(self._path, thorough=not read_only, patience=patience)
        if not read_only:
            self._writer = connect(self._path, read_only=False, patience=patience)
            with damage_named(self._path, self._writer):
                upgrade(self._writer)
            self._writer.set_busy_timeout(COMMIT_MS)
        self._reader = connect(self._path, read_only=True, patience=patience)

    def commit(self, batch: Batch) -> None:
        with self._writing:
            refusals = self._refusals
            self._refusals = Refusals()  # what a batch taught that was not written
            with (
                damage_named(self._path, self._writer),
                self._write_connection() as connection,
            ):
                try:
                    write_batch(connection, batch, refusals)
                except apsw.ConstraintError as failure:
                    raise ValueError(
                        f"the batch contradicts the store: {failure}"
                    ) from failure
            self._refusals = refusals

    def outbox(self) -> list[tuple[int, Posting]]:
        """Letters to other shards that left with a batch and were not handed on yet."""
        found = self._rows("SELECT number, receiver, body FROM outbox ORDER BY number")
        return [(number, Posting(receiver, body)) for number, receiver, body in found]

    def read_letters(self) -> list[int]:
        """Numbers of letters that were read with a batch, and may still lie in the ledger."""
        found = self._rows("SELECT number FROM read_letters ORDER BY number")
        return [int(number) for (number,) in found]

    def clear_mail(self, posted_up_to: int, read: list[int]) -> None:
        """The ledger knows of these."""
        with (
            self._writing,
            damage_named(self._path, self._writer),
            self._write_connection() as connection,
        ):
            connection.execute("DELETE FROM outbox WHERE number <= ?", (posted_up_to,))
            connection.executemany(
                "DELETE FROM read_letters WHERE number = ?", ((one,) for one in read)
            )

    def give_away(self, hosts: Sequence[int]) -> None:
        """These hosts are another shard's from now on."""
        with (
            self._writing,
            damage_named(self._path, self._writer),
            self._write_connection() as connection,
        ):
            shed_hosts(connection, hosts)

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        self._write_connection()  # refuse before writing the file
        self._files.save(checkpoint)
        with (
            self._writing,
            damage_named(self._path, self._writer),
            self._write_connection() as connection,
        ):
            connection.execute(
                "DELETE FROM calls WHERE number <= ?", (checkpoint.calls,)
            )
            connection.execute(
                "UPDATE totals SET calls_dropped = max(calls_dropped, ?)",
                (checkpoint.calls,),
            )
        # Last: until the journal is trimmed durably, the older checkpoint is as good as the new
        # one.
        self._files.drop_before(checkpoint.calls)

    def parts(self) -> Sequence[SteadyStore]:
        return (self,)

    def close(self) -> None:
        with self._writing, self._reading:
            # the right to write goes last
            for part in (self._reader, self._writer, self._lock_file):
                if part is not None:
                    part.close()
            self._reader = None
            self._writer = None
            self._lock_file = None

    def _write_connection(self) -> apsw.Connection:
        if self._writer is None:
            raise ValueError("the store is closed or was opened for reading only")
        return self._writer
