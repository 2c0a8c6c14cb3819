"""The file `store.sqlite`: its tables, and every check that must pass before a byte of it is
changed.
"""

from __future__ import annotations

import errno
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
    disk_trouble,
)
from trapline.stores.checkpoint_files import sync_folder
from trapline.stores.compression import BadBytes

VERSION: Final = 4
LINKS_SINCE: Final = 2  # version
DIFFS_SINCE: Final = 3  # version, also of languages and simhashes
_APPLICATION_ID: Final = int.from_bytes(b"TrpL", "big")
_BUSY_MS: Final = 10_000

# Integer keys only: rows are appended at the end of a table, never scattered over it. Bodies lie
# apart, so that noting "seen again" rewrites a short row and not the text. `totals` makes counting
# free for whoever looks on. of version 1
_TABLES: Final = {
    "hosts",
    "urls",
    "documents",
    "bodies",
    "visits",
    "calls",
    "notes",
    "totals",
}
_BULKY: Final = {"bodies", "visits", "links", "diffs"}
_SCHEMA: Final = """
CREATE TABLE hosts (host INTEGER PRIMARY KEY, name TEXT NOT NULL, home TEXT NOT NULL,
    robots_text TEXT, robots_until_s REAL);
CREATE TABLE urls (page INTEGER PRIMARY KEY, url TEXT NOT NULL, host INTEGER NOT NULL);
CREATE TABLE documents (page INTEGER PRIMARY KEY, revision INTEGER NOT NULL, held INTEGER NOT NULL,
    relevance REAL NOT NULL, fingerprint INTEGER NOT NULL, etag TEXT NOT NULL, last_modified TEXT NOT NULL,
    fetched_s REAL NOT NULL, changed_s REAL NOT NULL);
CREATE INDEX documents_by_revision ON documents (revision);
CREATE TABLE bodies (page INTEGER PRIMARY KEY, title TEXT NOT NULL, text BLOB NOT NULL);
CREATE TABLE visits (number INTEGER PRIMARY KEY, page INTEGER NOT NULL, host INTEGER NOT NULL, kind INTEGER NOT NULL,
    issued_s REAL NOT NULL, ended_s REAL NOT NULL, price REAL NOT NULL, outcome INTEGER NOT NULL,
    status INTEGER NOT NULL, changed INTEGER NOT NULL, relevance REAL NOT NULL, remark TEXT NOT NULL);
CREATE INDEX visits_by_page ON visits (page, number);
CREATE TABLE calls (number INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE notes (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
CREATE TABLE totals (id INTEGER PRIMARY KEY, hosts INTEGER NOT NULL, known INTEGER NOT NULL, held INTEGER NOT NULL,
    visits INTEGER NOT NULL, revision INTEGER NOT NULL, calls_dropped INTEGER NOT NULL);
INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0, 0);
"""
_ADDED: Final = {  # by version
    2: ("links", "CREATE TABLE links (page INTEGER PRIMARY KEY, links BLOB NOT NULL)"),
    3: (
        "diffs",
        "CREATE TABLE diffs (number INTEGER PRIMARY KEY, page INTEGER NOT NULL, at_s REAL NOT "
        "NULL, turn TEXT NOT NULL,"
        " added INTEGER NOT NULL, removed INTEGER NOT NULL);"
        "ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE documents ADD COLUMN simhash INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE documents ADD COLUMN same_as INTEGER NOT NULL DEFAULT -1;"
        "CREATE INDEX documents_by_original ON documents (same_as) WHERE same_as >= 0",
    ),
    # no new table: from now on texts and links are packed by zstd, which older readers do not know
    4: ("bodies", ""),
}


def lock_folder(folder: Path) -> IO[bytes]:
    """The right to write into a folder, as long as the file is open; the system takes it back from
    the dead.
    """
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
            _fill(connection)
    except DiskFull:
        unfinished.unlink()
        raise
    finally:
        connection.close()
    unfinished.replace(path)
    sync_folder(path.parent)


def _fill(connection: apsw.Connection) -> None:
    with connection:
        connection.execute(_SCHEMA)
        connection.pragma("application_id", _APPLICATION_ID)
        connection.pragma("user_version", 1)
        upgrade(connection)
    connection.pragma("journal_mode", "wal")


def upgrade(connection: apsw.Connection) -> None:
    """Bring an older store up to date: all of it or nothing."""
    with connection:
        for version in range(connection.pragma("user_version") + 1, VERSION + 1):
            connection.execute(_ADDED[version][1])
            connection.pragma("user_version", version)


def connect(path: Path, *, read_only: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    where = str(path)
    if read_only and os.statvfs(path).f_flag & os.ST_RDONLY and not _is_logged(path):
        # No robot can be at work there, nor can SQLite make the files in which readers and writers
        # would meet.
        where = f"{path.absolute().as_uri()}?immutable=1"
        flags = flags | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(where, flags=flags)
    connection.set_busy_timeout(_BUSY_MS)
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
    # A kill may leave the file short while the write-ahead log still has the rest.
    if path.stat().st_size < (
        65_536 if page_size == 1 else page_size
    ) * pages and not _is_logged(path):
        raise StoreCorrupt(path, "it was cut short")


def check_tables(path: Path, *, thorough: bool) -> None:
    """Open without the right to write and look: identity as of the write-ahead log, then the
    tables.

    The thorough look leaves out most of bodies, visits and links, which are most of the bytes: both
    ends must be readable, other damage shows when it is read.
    """
    with damage_named(path):
        connection = connect(path, read_only=True)
    with damage_named(path, connection):
        try:
            version = connection.pragma("user_version")
            _check_identity(path, connection.pragma("application_id"), version)
            wanted = _TABLES | {
                table for since, (table, _) in _ADDED.items() if since <= version
            }
            tables = {
                name
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_schema WHERE type = 'table'"
                )
            }
            if missing := wanted - tables:
                raise StoreCorrupt(path, f"it has no table {min(missing)}")
            for table in sorted(wanted) if thorough else ():
                (_check_ends if table in _BULKY else _check_structure)(
                    path, connection, table
                )
        finally:
            connection.close()


@contextmanager
def damage_named(
    path: Path, connection: apsw.Connection | None = None
) -> Iterator[None]:
    """Whatever is said about damaged bytes becomes StoreCorrupt; about the disk, what the system
    said.
    """
    try:
        yield
    except (apsw.Error, BadBytes) as failure:
        # When the disk fails SQLite rolls back by itself; then rolling back fails, and hides why.
        hidden = failure.__context__ if isinstance(failure, apsw.SQLError) else None
        named = _named(
            path, hidden if isinstance(hidden, apsw.Error) else failure, connection
        )
        if named is None:
            raise
        raise named from failure


def _named(
    path: Path, failure: Exception, connection: apsw.Connection | None
) -> Exception | None:
    if isinstance(failure, (apsw.CorruptError, apsw.NotADBError, BadBytes)):
        return StoreCorrupt(path, str(failure))
    if isinstance(failure, apsw.FullError):
        return DiskFull(path.parent)
    if isinstance(failure, (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError)):
        number = connection.system_errno if connection is not None else 0
        said = os.strerror(number) if number else str(failure)
        return disk_trouble(path.parent, OSError(number or errno.EIO, said, str(path)))
    return None


def _check_structure(path: Path, connection: apsw.Connection, table: str) -> None:
    found = connection.execute(f"PRAGMA quick_check({table})").fetchall()
    if found != [("ok",)]:
        raise StoreCorrupt(path, f"table {table}: {found[0][0]}")


def _check_ends(path: Path, connection: apsw.Connection, table: str) -> None:
    """SQLite itself says so if the way to the first or the last row is damaged."""
    connection.execute(
        f"SELECT (SELECT min(rowid) FROM {table}), (SELECT max(rowid) FROM {table})"
    ).fetchall()


def _is_logged(path: Path) -> bool:
    """Whether there is a write-ahead log with anything in it."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _check_identity(path: Path, application_id: int, version: int) -> None:
    if application_id != _APPLICATION_ID:
        raise StoreCorrupt(path, "another program wrote it")
    if version > VERSION:
        raise FolderNewer(path.parent, version, VERSION)
    if version < 1:
        raise StoreCorrupt(path, "it has no version")
