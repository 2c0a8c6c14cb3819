"""The tables of `directory.sqlite`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import apsw

from trapline.core.errors import FolderNewer, StoreCorrupt

_VERSION: Final = 1
_APPLICATION_ID: Final = 0x54724469  # "TrDi"
WAIT_MS: Final = 20_000
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS engines (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, fingerprint TEXT NOT NULL, url TEXT NOT NULL, site TEXT NOT NULL,
    statement TEXT NOT NULL, serial INTEGER NOT NULL, description TEXT,
    state TEXT NOT NULL, reason TEXT NOT NULL, since_s REAL NOT NULL, seen_s REAL NOT NULL,
    findings TEXT NOT NULL DEFAULT '[]', pages INTEGER NOT NULL DEFAULT 0,
    terms_digest TEXT NOT NULL DEFAULT '', terms_version INTEGER NOT NULL DEFAULT 0,
    sample_digest TEXT NOT NULL DEFAULT '', counted INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS by_fingerprint ON engines (fingerprint);
CREATE INDEX IF NOT EXISTS by_site ON engines (site);
CREATE INDEX IF NOT EXISTS by_url ON engines (url);
CREATE INDEX IF NOT EXISTS by_state ON engines (state, seen_s);
CREATE TABLE IF NOT EXISTS parts (key TEXT NOT NULL, kind TEXT NOT NULL, packed BLOB NOT NULL,
    PRIMARY KEY (key, kind)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shared (only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version TEXT NOT NULL, packed BLOB NOT NULL);
CREATE TRIGGER IF NOT EXISTS parts_go AFTER DELETE ON engines BEGIN
    DELETE FROM parts WHERE key = OLD.key; END;
PRAGMA user_version = {_VERSION};
PRAGMA application_id = {_APPLICATION_ID}
"""


def open_database(path: Path) -> apsw.Connection:
    """To write; the tables are made where there are none."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(WAIT_MS)
    connection.transaction_mode = "IMMEDIATE"
    _check_identity(path, connection)
    connection.pragma("journal_mode", "wal")
    # A kill loses nothing; the power may take the last statements, which come again.
    connection.pragma("synchronous", "NORMAL")
    with connection:
        connection.execute(_SCHEMA)
    return connection


def _check_identity(path: Path, connection: apsw.Connection) -> None:
    if connection.pragma("application_id") not in (0, _APPLICATION_ID):
        raise StoreCorrupt(path, "another program wrote it")
    version = connection.pragma("user_version")
    if version > _VERSION:
        raise FolderNewer(path.parent, version, _VERSION)
