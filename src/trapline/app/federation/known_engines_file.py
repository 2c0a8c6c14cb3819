"""`oasis.sqlite`: what a broker knows of other engines, so that it goes on without a directory.

Descriptions are kept as they were signed, statistics and samples as they were packed. Every call is
one transaction. Derived from others and gathered again if it is lost: a damaged file is put aside.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw

from trapline.core.errors import disk_trouble

FILE: Final = "oasis.sqlite"
MOST_FINDINGS: Final = 2000
_VERSION: Final = 1
_WAIT_MS: Final = 5000
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS engines (key TEXT PRIMARY KEY, kind TEXT, url TEXT, name TEXT,
    said TEXT, source TEXT, heard_s REAL);
CREATE TABLE IF NOT EXISTS parts (key TEXT, part TEXT, digest TEXT, packed BLOB,
    PRIMARY KEY (key, part));
CREATE TABLE IF NOT EXISTS findings (key TEXT, wrong TEXT, detail TEXT, times INTEGER,
    first_s REAL, last_s REAL, PRIMARY KEY (key, wrong));
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value BLOB);
PRAGMA user_version = {_VERSION};
"""
_ADD_ENGINE: Final = """
INSERT INTO engines VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind,
    url = excluded.url, name = excluded.name, said = excluded.said, source = excluded.source,
    heard_s = excluded.heard_s
"""
_ADD_FINDING: Final = """
INSERT INTO findings VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET times = times + 1,
    detail = excluded.detail, last_s = excluded.last_s
"""
_BOUND_FINDINGS: Final = """
DELETE FROM findings WHERE rowid IN (SELECT rowid FROM findings ORDER BY last_s DESC
    LIMIT -1 OFFSET ?)
"""


class EngineRow(NamedTuple):
    key: str
    kind: str
    url: str
    name: str
    said: str  # the signed description as JSON; "" for neighbours
    source: str  # where it was heard of
    heard_s: float


class KnownFinding(NamedTuple):
    """What was found wrong with an engine, counted."""

    key: str
    wrong: str
    detail: str  # of the last time
    times: int
    first_s: float
    last_s: float


class KnownEnginesFile:
    """From any thread, one call at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        try:
            self._connection = self._open()
        except (apsw.NotADBError, apsw.CorruptError):
            self._path.replace(self._path.with_suffix(".damaged"))
            self._connection = self._open()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def engines(self) -> list[EngineRow]:
        rows = self._read("SELECT * FROM engines ORDER BY key")
        return [EngineRow(*row) for row in rows]

    def put_engine(self, row: EngineRow) -> None:
        self._write([(_ADD_ENGINE, row)])

    def touch(self, key: str, heard_s: float) -> None:
        self._write([("UPDATE engines SET heard_s = ? WHERE key = ?", (heard_s, key))])

    def forget(self, key: str) -> None:
        """All but what was found wrong with it: it must not come back as a stranger."""
        tables = ("engines", "parts")
        self._write([(f"DELETE FROM {name} WHERE key = ?", (key,)) for name in tables])

    def part(self, key: str, part: str) -> tuple[str, bytes] | None:
        """Digest and packed bytes of its statistics (`terms`) or its `sample`."""
        sql = "SELECT digest, packed FROM parts WHERE key = ? AND part = ?"
        found = self._read(sql, (key, part))
        return (found[0][0], found[0][1]) if found else None

    def put_part(self, key: str, part: str, digest: str, packed: bytes) -> None:
        sql = "INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?)"
        self._write([(sql, (key, part, digest, packed))])

    def note_findings(
        self, findings: Iterable[tuple[str, str, str]], now_s: float
    ) -> None:
        """Of (key, what is wrong, detail)."""
        orders: list[tuple[str, Sequence[Any]]] = [
            (_ADD_FINDING, (*one, now_s, now_s)) for one in findings
        ]
        self._write([*orders, (_BOUND_FINDINGS, (MOST_FINDINGS,))])

    def findings(self) -> list[KnownFinding]:
        """The newest first."""
        rows = self._read("SELECT * FROM findings ORDER BY last_s DESC, key, wrong")
        return [KnownFinding(*row) for row in rows]

    def keep(self, name: str, value: bytes) -> None:
        self._write([("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))])

    def kept_value(self, name: str) -> bytes | None:
        found = self._read("SELECT value FROM kept WHERE name = ?", (name,))
        return bytes(found[0][0]) if found else None

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return list(self._connection.execute(sql, values))

    def _write(self, orders: Iterable[tuple[str, Sequence[Any]]]) -> None:
        try:
            with self._lock, self._connection:
                for sql, values in orders:
                    self._connection.execute(sql, values)
        except apsw.FullError as failure:
            raise disk_trouble(self._path, OSError(28, str(failure))) from None

    def _open(self) -> apsw.Connection:
        """What is asked passes through here, in part: its owner's alone."""
        with suppress(FileExistsError):
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
            try:
                os.close(os.open(self._path, flags, 0o600))
            except FileExistsError:
                raise
            except OSError as failure:
                raise disk_trouble(self._path.parent, failure) from None
        connection = apsw.Connection(str(self._path))
        try:
            connection.set_busy_timeout(_WAIT_MS)
            connection.pragma("journal_mode", "wal")
            connection.pragma("synchronous", "normal")
            connection.execute(_SCHEMA)
        except apsw.Error:
            connection.close()
            raise
        return connection
