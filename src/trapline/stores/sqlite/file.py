"""The file `store.sqlite`: opened and locked, after every check that must pass before a write."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import apsw

from trapline.core.errors import (
    DiskFull,
    FolderBusy,
    FolderNewer,
    StoreCorrupt,
    StoreLocked,
    disk_trouble,
)
from trapline.sqlite.failures import name_failure
from trapline.stores.checkpoint_files import sync_folder
from trapline.stores.compression import BadBytes
from trapline.stores.lock_patience import LockPatience
from trapline.stores.sqlite.schema import (
    APPLICATION_ID,
    BULKY,
    VERSION,
    fill,
    tables_of,
)

# A commit is tried again by whoever makes it, so that meanwhile the robot can be stopped.
COMMIT_MS: Final = 1_000
READER_S: Final = 60.0  # for a lock that others hold; a robot that starts waits on


def lock_folder(folder: Path) -> IO[bytes]:
    """The right to write into a folder, as long as the file is open; it ends with the process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("ab")
    except OSError as failure:
        raise disk_trouble(folder, failure) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise FolderBusy(folder) from None
    return file


def create(path: Path) -> None:
    """A new, empty store; made under another name, so that a kill never leaves half a one."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    connection = apsw.Connection(str(unfinished))
    try:
        with damage_named(path, connection):
            fill(connection)
    except DiskFull:
        unfinished.unlink()
        raise
    finally:
        connection.close()
    unfinished.replace(path)
    sync_folder(path.parent)


def connect(path: Path, *, read_only: bool, patience: LockPatience) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    where = str(path)
    if read_only and os.statvfs(path).f_flag & os.ST_RDONLY and not _is_logged(path):
        # No robot can be at work there, nor can SQLite make the files in which readers and writers
        # would meet.
        where = f"{path.absolute().as_uri()}?immutable=1"
        flags = flags | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(where, flags=flags)
    connection.set_busy_handler(patience.wait)
    # Asked for at the beginning, the right to write is waited for; later it is refused at once.
    connection.transaction_mode = "IMMEDIATE"
    if not read_only:
        # commits are batched, so each may pay for a sync
        connection.pragma("synchronous", "FULL")
    return connection


def check_header(path: Path) -> None:
    """Read the first 100 bytes by hand: SQLite itself may leave files beside a database by merely
    opening it.
    """
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise StoreCorrupt(path, "it is not an SQLite database")
    version, application_id = struct.unpack(">I4xI", header[60:72])
    _check_identity(path, application_id, version)
    page_size, pages = struct.unpack(">H10xI", header[16:32])
    size = (65_536 if page_size == 1 else page_size) * pages
    # A kill may leave the file short while the write-ahead log still has the rest.
    if path.stat().st_size < size and not _is_logged(path):
        raise StoreCorrupt(path, "it was cut short")


def check_tables(path: Path, *, thorough: bool, patience: LockPatience) -> None:
    """Check, without the right to write, the identity as of the write-ahead log, then the tables.

    The thorough check leaves out most of bodies, visits and links, which are most of the bytes:
    both ends must be readable, other damage shows when it is read.
    """
    with damage_named(path):
        connection = connect(path, read_only=True, patience=patience)
    with damage_named(path, connection):
        try:
            version = connection.pragma("user_version")
            _check_identity(path, connection.pragma("application_id"), version)
            wanted = tables_of(version)
            if missing := wanted - _tables_in(connection):
                raise StoreCorrupt(path, f"it has no table {min(missing)}")
            for table in sorted(wanted) if thorough else ():
                check = _check_ends if table in BULKY else _check_structure
                check(path, connection, table)
        finally:
            connection.close()


def _tables_in(connection: apsw.Connection) -> set[str]:
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    return {name for (name,) in connection.execute(sql)}


@contextmanager
def damage_named(
    path: Path, connection: apsw.Connection | None = None
) -> Iterator[None]:
    """Errors of damaged bytes become StoreCorrupt, those of the disk what the system said."""
    try:
        yield
    except BadBytes as failure:
        raise StoreCorrupt(path, str(failure)) from failure
    except apsw.Error as failure:
        error = name_failure(path, failure, connection, StoreLocked(path))
        if error is None:
            raise
        raise error from failure


def _check_structure(path: Path, connection: apsw.Connection, table: str) -> None:
    found = connection.execute(f"PRAGMA quick_check({table})").fetchall()
    if found != [("ok",)]:
        raise StoreCorrupt(path, f"table {table}: {found[0][0]}")


def _check_ends(path: Path, connection: apsw.Connection, table: str) -> None:
    """SQLite itself says so if the first or the last row cannot be reached."""
    first = f"(SELECT min(rowid) FROM {table})"
    last = f"(SELECT max(rowid) FROM {table})"
    connection.execute(f"SELECT {first}, {last}").fetchall()


def _is_logged(path: Path) -> bool:
    """Whether there is a write-ahead log with anything in it."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _check_identity(path: Path, application_id: int, version: int) -> None:
    if application_id != APPLICATION_ID:
        raise StoreCorrupt(path, "another program wrote it")
    if version > VERSION:
        raise FolderNewer(path.parent, version, VERSION)
    if version < 1:
        raise StoreCorrupt(path, "it has no version")
