"""`directory.sqlite`: engines with their last statements, descriptions, statistics and findings.

Every call is one transaction in a write-ahead log: a kill loses nothing that was answered. Used by
one thread; who adds up the shared table opens a store of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from trapline.app.directory.directory_schema import WAIT_MS, open_database
from trapline.app.directory.engine_entry import EngineEntry, State
from trapline.app.directory.entry_rows import COLUMNS, read_entry, spell
from trapline.app.directory.site_names import site_of
from trapline.core.errors import disk_trouble
from trapline.oasis.description import fingerprint_of
from trapline.oasis.signed_description import SignedDescription
from trapline.oasis.statements import SignedStatement
from trapline.stores.sqlite.file import damage_named

FILE: Final = "directory.sqlite"
MOST_FINDINGS: Final = 8  # of an engine, the newest
LONGEST_FINDING: Final = 300
_ADD: Final = """
INSERT INTO engines
    (key, name, fingerprint, url, site, statement, serial, state, reason, since_s, seen_s)
VALUES
    (:key, :name, :fingerprint, :url, :site, :statement, :serial, :state, :reason, :now_s, :now_s)
ON CONFLICT (key) DO UPDATE SET name = :name, url = :url, site = :site, statement = :statement,
    serial = :serial, since_s = iif(state = :state, since_s, :now_s), seen_s = :now_s,
    state = :state, reason = :reason
"""


class DirectoryStore:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            raise disk_trouble(folder, failure) from None
        with damage_named(self._path):
            self._connection = open_database(self._path)

    def close(self) -> None:
        self._connection.close()

    def engines(self, after: int = 0, most: int = -1) -> list[EngineEntry]:
        """In the order in which they came."""
        sql = f"SELECT {COLUMNS} FROM engines WHERE number > ? ORDER BY number LIMIT ?"
        return [read_entry(row) for row in self._connection.execute(sql, (after, most))]

    def engine(self, key: str) -> EngineEntry | None:
        return next(iter(self._where("key = ?", key)), None)

    def find(self, key_or_fingerprint: str) -> list[EngineEntry]:
        """More than one if two keys have one fingerprint."""
        condition = "key = ?1 OR fingerprint = ?1"
        return self._where(condition, key_or_fingerprint)

    def at(self, url: str) -> list[EngineEntry]:
        return self._where("url = ?", url)

    def names(self) -> list[tuple[str, str]]:
        """Key and name of all engines that are, or were lately."""
        sql = "SELECT key, name FROM engines WHERE state IN (?, ?)"
        return list(self._connection.execute(sql, (State.ALIVE, State.SILENT)))

    def count(self, site: str | None = None) -> int:
        """Engines in all, or of a site."""
        sql = "SELECT count(*) FROM engines WHERE ?1 IS NULL OR site = ?1"
        return self._number(sql, (site,))

    def packed_bytes(self) -> int:
        """Of all statistics and samples."""
        return self._number("SELECT total(length(packed)) FROM parts", ())

    def hear(
        self, signed: SignedStatement, state: State, reason: str, now_s: float
    ) -> None:
        """Note the newest statement of an engine, and what becomes of the engine by it."""
        statement = signed.statement
        row = {
            "key": statement.key,
            "name": statement.name,
            "fingerprint": fingerprint_of(statement.key),
            "url": statement.url,
            "site": site_of(statement.url),
            "statement": spell(signed.as_json()),
            "serial": statement.serial,
            "state": state,
            "reason": reason[:LONGEST_FINDING],
            "now_s": now_s,
        }
        self._write(_ADD, row)

    def set_state(self, key: str, state: State, reason: str, now_s: float) -> None:
        sql = "UPDATE engines SET state = ?, reason = ?, since_s = ? WHERE key = ?"
        self._write(sql, (state, reason[:LONGEST_FINDING], now_s, key))

    def silence(self, before_s: float, reason: str, now_s: float) -> int:
        """Engines that were not heard of since; how many became silent by it."""
        sql = (
            "UPDATE engines SET state = ?, reason = ?, since_s = ?"
            " WHERE state = ? AND seen_s < ?"
        )
        values = (State.SILENT, reason, now_s, State.ALIVE, before_s)
        return self._write(sql, values)

    def correct_times(self, now_s: float) -> None:
        """Nothing was heard in the future: the clock was set back."""
        for column in ("seen_s", "since_s"):
            sql = f"UPDATE engines SET {column} = ?1 WHERE {column} > ?1"
            self._write(sql, (now_s,))

    def describe(self, key: str, signed: SignedDescription) -> None:
        """The first description of an engine; what it is made of comes later."""
        sql = "UPDATE engines SET description = ?, pages = ? WHERE key = ?"
        pages = signed.description.pages
        self._write(sql, (spell(signed.as_json()), pages, key))

    def keep_parts(
        self,
        key: str,
        signed: SignedDescription,
        parts: dict[str, bytes],
        counts: bool,
    ) -> None:
        """A description with its statistics (`terms`) and its `sample`, all at once.

        `counts`: the statistics belong into the shared table.
        """
        found = signed.description
        with self._connection:
            self.describe(key, signed)
            self._connection.execute("DELETE FROM parts WHERE key = ?", (key,))
            for kind, packed in parts.items():
                row = (key, kind, packed)
                self._connection.execute("INSERT INTO parts VALUES (?, ?, ?)", row)
            self._connection.execute(
                "UPDATE engines SET terms_digest = ?, terms_version = ?,"
                " sample_digest = ?, counted = ? WHERE key = ?",
                (
                    found.terms.digest if found.terms else "",
                    found.terms.version if found.terms else 0,
                    found.sample.digest if found.sample else "",
                    counts and "terms" in parts,
                    key,
                ),
            )

    def note_findings(self, key: str, findings: Sequence[str]) -> None:
        """What is wrong with an engine now; it takes the place of what was."""
        said = [text[:LONGEST_FINDING] for text in findings[-MOST_FINDINGS:]]
        sql = "UPDATE engines SET findings = ? WHERE key = ?"
        self._write(sql, (spell(said), key))

    def part(self, key: str, kind: str) -> bytes | None:
        sql = "SELECT packed FROM parts WHERE key = ? AND kind = ?"
        row = self._connection.execute(sql, (key, kind)).fetchone()
        return row[0] if row else None

    def terms_version(self, key: str) -> int:
        """Of the statistics that are held."""
        sql = "SELECT total(terms_version) FROM engines WHERE key = ?"
        return self._number(sql, (key,))

    def engines_of_table(self) -> dict[str, tuple[int, int]]:
        """Engines of the shared table: key → version of the statistics, and pages.

        Silent ones count on: their words are as rare as before, and they may come back.
        """
        sql = (
            "SELECT key, terms_version, pages FROM engines"
            " WHERE counted AND state IN (?, ?) ORDER BY key"
        )
        rows = self._connection.execute(sql, (State.ALIVE, State.SILENT))
        return {key: (version, pages) for key, version, pages in rows}

    def keep_table(self, version: str, packed: bytes) -> None:
        sql = "INSERT OR REPLACE INTO shared VALUES (1, ?, ?)"
        self._write(sql, (version, packed))

    def table_version(self) -> str:
        row = self._connection.execute("SELECT version FROM shared").fetchone()
        return row[0] if row else ""

    def table(self) -> tuple[str, bytes] | None:
        """Version and packed bytes."""
        sql = "SELECT version, packed FROM shared"
        row = self._connection.execute(sql).fetchone()
        return (row[0], row[1]) if row else None

    def forget(self, keys: Sequence[str]) -> None:
        with self._connection:
            rows = [(key,) for key in keys]
            self._connection.executemany("DELETE FROM engines WHERE key = ?", rows)

    def idle(self, most: int, site: str | None = None) -> list[str]:
        """Keys of engines that can be forgotten first: refused, then left, then silent ones, and
        of each kind those that were heard of longest ago.
        """
        sql = (
            "SELECT key FROM engines WHERE state <> ?1 AND (?2 IS NULL OR site = ?2)"
            " ORDER BY CASE state WHEN 'refused' THEN 0 WHEN 'left' THEN 1 ELSE 2 END,"
            " seen_s LIMIT ?3"
        )
        rows = self._connection.execute(sql, (State.ALIVE, site, most))
        return [key for (key,) in rows]

    def bound_refused(self, most: int) -> None:
        """Forget the oldest refused ones, so that less than so many are kept."""
        sql = (
            "DELETE FROM engines WHERE key IN (SELECT key FROM engines WHERE state = ?"
            " ORDER BY seen_s DESC, number DESC LIMIT -1 OFFSET ?)"
        )
        self._write(sql, (State.REFUSED, max(most - 1, 0)))

    def long_gone(self, before_s: float) -> list[str]:
        sql = "SELECT key FROM engines WHERE state <> ? AND seen_s < ?"
        return [
            key for (key,) in self._connection.execute(sql, (State.ALIVE, before_s))
        ]

    def _where(self, condition: str, value: str) -> list[EngineEntry]:
        sql = f"SELECT {COLUMNS} FROM engines WHERE {condition} ORDER BY number"
        return [read_entry(row) for row in self._connection.execute(sql, (value,))]

    def _number(self, sql: str, values: tuple[Any, ...]) -> int:
        [(found,)] = self._connection.execute(sql, values)
        return int(found)

    def _write(self, sql: str, values: Any) -> int:
        with damage_named(self._path, self._connection), self._connection:
            self._connection.execute(sql, values)
        return int(self._connection.changes())


def tables_in(folder: Path, keys: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Packed statistics of some engines, one after another, from a thread of one's own."""
    connection = apsw.Connection(str(folder / FILE), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(WAIT_MS)
        sql = "SELECT packed FROM parts WHERE key = ? AND kind = 'terms'"
        for key in keys:
            row = connection.execute(sql, (key,)).fetchone()
            if row:
                yield key, row[0]
    finally:
        connection.close()
