"""The file `ledger.sqlite`: made, checked and opened; and what its errors mean to people."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from trapline.core.errors import (
    FolderMissing,
    FolderNewer,
    StoreAway,
    StoreCorrupt,
    disk_trouble,
)
from trapline.core.ledger import LEDGER_FILE
from trapline.ledgers.sqlite.tables import APPLICATION_ID, VERSION, fill
from trapline.sqlite.failures import name_failure

# Others write for milliseconds: whoever waits so long waits for a database browser or a backup.
PATIENCE_S: Final = 5.0
_PAUSE_S: Final = 0.003


def open_file(folder: Path, *, create: bool) -> apsw.Connection:
    """FolderMissing if there is no ledger and none is to be made."""
    path = folder / LEDGER_FILE
    if not path.exists():
        if not create:
            raise FolderMissing(folder)
        _create(path)
    with damage_named(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        _prepare(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(path: Path, connection: apsw.Connection) -> None:
    # Ours, not SQLite's: that one would sleep without letting another thread end its work.
    connection.set_busy_handler(_wait)
    # Asked for at the beginning, the right to write is waited for; later it is refused at once.
    connection.transaction_mode = "IMMEDIATE"
    with damage_named(path, connection):
        if connection.pragma("application_id") != APPLICATION_ID:
            raise StoreCorrupt(path, "another program wrote it")
        version = connection.pragma("user_version")
        connection.pragma("synchronous", "FULL")
    if version > VERSION:
        raise FolderNewer(path.parent, version, VERSION)


def _wait(tries: int) -> bool:
    """Wait for a moment while others write; False = it was long enough."""
    if tries * _PAUSE_S >= PATIENCE_S:
        return False
    time.sleep(_PAUSE_S)
    return True


def _create(path: Path) -> None:
    """Made under another name: a kill never leaves half a ledger, and of several processes that
    make it at once the first one's is everybody's.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".ledger-") as room:
            unfinished = Path(room) / LEDGER_FILE
            _fill(path, unfinished)
            _give_name(unfinished, path)
    except OSError as failure:
        raise disk_trouble(path.parent, failure) from None


def _fill(path: Path, unfinished: Path) -> None:
    connection = apsw.Connection(str(unfinished))
    try:
        with damage_named(path, connection):
            fill(connection)
    finally:
        connection.close()


def _give_name(unfinished: Path, path: Path) -> None:
    try:
        path.hardlink_to(unfinished)
    except FileExistsError:
        return
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def damage_named(
    path: Path, connection: apsw.Connection | None = None
) -> Iterator[None]:
    """Errors of damaged bytes become StoreCorrupt, of locks StoreAway, of the disk what the system
    said.
    """
    try:
        yield
    except apsw.Error as failure:
        locked = StoreAway(str(path), "another program has locked it")
        error = name_failure(path, failure, connection, locked)
        if error is None:
            raise
        raise error from failure
