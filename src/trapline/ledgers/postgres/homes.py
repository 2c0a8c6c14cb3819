"""Which shard is the home of an address, and which hosts have moved, in PostgreSQL."""

from __future__ import annotations

from typing import Final

from trapline.core.ledger import Lease, MovedHost
from trapline.ledgers.postgres.counters import lock_counter, set_counter
from trapline.ledgers.postgres.desk import Cursor, Desk, check_epoch

_HOME: Final = "SELECT shard FROM @homes WHERE address = %s"
_SET_HOME: Final = (
    "INSERT INTO @homes (address, shard) VALUES (%s, %s) ON CONFLICT DO NOTHING"
)
_MOVE: Final = """
INSERT INTO @moved_hosts (number, name, shard, address) VALUES (%s, %s, %s, %s)
"""
_MOVED: Final = "SELECT shard FROM @moved_hosts WHERE name = %s"
_MOVES: Final = """
SELECT number, name, shard, address FROM @moved_hosts WHERE number > %s ORDER BY number
"""


class Homes(Desk):
    def home_of(self, address: str, shard: int) -> int:
        if rows := self._rows(_HOME, (address,)):
            return int(rows[0][0])
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(_SET_HOME), (address, shard))
            cursor.execute(self._sql(_HOME), (address,))
            return int(cursor.fetchone()[0])

    def move_host(self, mover: Lease, name: str, shard: int, address: str) -> int:
        with self._database.transaction() as cursor:
            check_epoch(cursor, self._sql, mover)
            last = lock_counter(cursor, self._sql, "moved hosts")
            if (first := self._home_after_move(cursor, name)) is not None:
                return first
            cursor.execute(self._sql(_MOVE), (last + 1, name, shard, address))
            set_counter(cursor, self._sql, "moved hosts", last + 1)
            return shard

    def _home_after_move(self, cursor: Cursor, name: str) -> int | None:
        cursor.execute(self._sql(_MOVED), (name,))
        row = cursor.fetchone()
        return None if row is None else int(row[0])

    def moved_hosts(self, after: int) -> list[MovedHost]:
        return [MovedHost(*row) for row in self._rows(_MOVES, (after,))]
