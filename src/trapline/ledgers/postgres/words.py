"""What people and workers say, in PostgreSQL: lines, reports, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trapline.ledgers.postgres.counters import lock_counter, set_counter
from trapline.ledgers.postgres.desk import Desk

_APPEND: Final = "INSERT INTO @lines (kind, number, line) VALUES (%s, %s, %s)"
_LINES: Final = (
    "SELECT line FROM @lines WHERE kind = %s AND number > %s ORDER BY number"
)
_REPORT: Final = """
WITH said AS (SELECT * FROM unnest(%(shards)s::int[], %(reports)s::text[]) AS r (shard, report)),
mine AS (SELECT s.shard FROM @shards AS s JOIN said USING (shard) WHERE s.owner = %(worker)s
    ORDER BY s.shard FOR NO KEY UPDATE OF s)
UPDATE @shards AS s SET report = said.report, reported = clock_timestamp()
FROM said JOIN mine USING (shard) WHERE s.shard = said.shard AND s.owner = %(worker)s
"""
_SET_NOTE: Final = """
INSERT INTO @ledger_notes (key, value) VALUES (%s, %s)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""


class Words(Desk):
    def append(self, kind: str, lines: Sequence[str]) -> None:
        if not lines:
            return
        with self._database.transaction() as cursor:
            last = lock_counter(cursor, self._sql, f"lines: {kind}")
            rows = [(kind, last + 1 + n, line) for n, line in enumerate(lines)]
            cursor.executemany(self._sql(_APPEND), rows)
            set_counter(cursor, self._sql, f"lines: {kind}", last + len(lines))

    def lines(self, kind: str, after: int) -> list[str]:
        return [line for (line,) in self._rows(_LINES, (kind, after))]

    def report(self, worker: str, reports: Mapping[int, str]) -> None:
        values = {
            "worker": worker,
            "shards": list(reports),
            "reports": list(reports.values()),
        }
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(_REPORT), values)

    def note(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM @ledger_notes WHERE key = %s", (key,))
        return str(rows[0][0]) if rows else None

    def set_note(self, key: str, value: str) -> None:
        self._do(_SET_NOTE, (key, value))
