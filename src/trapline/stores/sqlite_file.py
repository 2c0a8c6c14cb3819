"""The file `store.sqlite`: its tables, and every check that must pass before a byte of it is changed."""

from __future__ import annotations

import fcntl
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import apsw

from trapline.core.errors import FolderBusy, FolderNewer, StoreCorrupt
from trapline.stores.checkpoint_files import sync_folder

VERSION: Final = 2
LINKS_SINCE: Final = 2  # version
_APPLICATION_ID: Final = int.from_bytes(b"TrpL", "big")
_BUSY_MS: Final = 10_000

# Integer keys only: rows are appended at the end of a table, never scattered over it. Bodies lie apart, so that noting
# "seen again" rewrites a short row and not the text. `totals` makes counting free for whoever looks on.
_TABLES: Final = {"hosts", "urls", "documents", "bodies", "visits", "calls", "notes", "totals"}  # of version 1
_BULKY: Final = {"bodies", "visits", "links"}
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
_ADDED: Final = {2: ("links", "CREATE TABLE links (page INTEGER PRIMARY KEY, links BLOB NOT NULL)")}  # by version


def lock_folder(folder: Path) -> IO[bytes]:
    """The right to write into a folder, as long as the file is open; the system takes it back from the dead."""
    file = (folder / "lock").open("ab")
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
    with connection:
        connection.execute(_SCHEMA)
        connection.pragma("application_id", _APPLICATION_ID)
        connection.pragma("user_version", 1)
        upgrade(connection)
    connection.pragma("journal_mode", "wal")
    connection.close()
    unfinished.replace(path)
    sync_folder(path.parent)


def upgrade(connection: apsw.Connection) -> None:
    """Bring an older store up to date: all of it or nothing."""
    with connection:
        for version in range(connection.pragma("user_version") + 1, VERSION + 1):
            connection.execute(_ADDED[version][1])
            connection.pragma("user_version", version)


def connect(path: Path, *, read_only: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(_BUSY_MS)
    if not read_only:
        connection.pragma("synchronous", "FULL")  # commits are batched, so each may pay for a sync
    return connection


def check_header(path: Path) -> None:
    """Read the first 100 bytes by hand: SQLite itself may leave files beside a database by merely opening it."""
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise StoreCorrupt(path, "it is not an SQLite database")
    version, application_id = struct.unpack(">I4xI", header[60:72])
    _check_identity(path, application_id, version)


def check_tables(path: Path, *, thorough: bool) -> None:
    """Open without the right to write and look: identity as of the write-ahead log, then the tables.

    The thorough look leaves out bodies and visits, which are most of the bytes: their damage shows when they are read.
    """
    with damage_named(path):
        connection = connect(path, read_only=True)
        try:
            version = connection.pragma("user_version")
            _check_identity(path, connection.pragma("application_id"), version)
            wanted = _TABLES | {table for since, (table, _) in _ADDED.items() if since <= version}
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if missing := wanted - tables:
                raise StoreCorrupt(path, f"it has no table {min(missing)}")
            for table in wanted - _BULKY if thorough else ():
                _check_structure(path, connection, table)
        finally:
            connection.close()


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Whatever SQLite or zlib say about damaged bytes becomes StoreCorrupt."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError, zlib.error) as failure:
        raise StoreCorrupt(path, str(failure)) from failure


def _check_structure(path: Path, connection: apsw.Connection, table: str) -> None:
    found = connection.execute(f"PRAGMA quick_check({table})").fetchall()
    if found != [("ok",)]:
        raise StoreCorrupt(path, f"table {table}: {found[0][0]}")


def _check_identity(path: Path, application_id: int, version: int) -> None:
    if application_id != _APPLICATION_ID:
        raise StoreCorrupt(path, "another program wrote it")
    if version > VERSION:
        raise FolderNewer(path.parent, version, VERSION)
    if version < 1:
        raise StoreCorrupt(path, "it has no version")
