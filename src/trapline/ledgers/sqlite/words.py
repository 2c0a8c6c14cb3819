"""What people and workers say, in SQLite: lines, reports, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trapline.ledgers.sqlite.desk import Desk

_APPEND: Final = """
INSERT INTO lines SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM lines WHERE kind = ?1
"""
_REPORT: Final = """
UPDATE shards SET report = ?, reported_at_s = ? WHERE shard = ? AND owner = ?
"""
_NOTE: Final = (
    "INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
)


class Words(Desk):
    def append(self, kind: str, lines: Sequence[str]) -> None:
        with self._writing() as connection:
            connection.executemany(_APPEND, [(kind, line) for line in lines])

    def lines(self, kind: str, after: int) -> list[str]:
        sql = "SELECT line FROM lines WHERE kind = ? AND number > ? ORDER BY number"
        return [line for (line,) in self._rows(sql, (kind, after))]

    def report(self, worker: str, reports: Mapping[int, str]) -> None:
        at_s = self._clock.wall_s()
        rows = [(text, at_s, shard, worker) for shard, text in reports.items()]
        with self._writing() as connection:
            connection.executemany(_REPORT, rows)

    def note(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM notes WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def set_note(self, key: str, value: str) -> None:
        with self._writing() as connection:
            connection.execute(_NOTE, (key, value))
