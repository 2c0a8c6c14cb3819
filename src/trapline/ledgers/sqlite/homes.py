"""Which shard is the home of an address, and which hosts have moved, in SQLite."""

from __future__ import annotations

from typing import Final

from trapline.core.ledger import Lease, MovedHost
from trapline.ledgers.sqlite.desk import Desk, check_epoch

_MOVE: Final = """
INSERT INTO moved_hosts SELECT coalesce(max(number), 0) + 1, ?, ?, ? FROM moved_hosts
WHERE true ON CONFLICT (name) DO NOTHING
"""


class Homes(Desk):
    def home_of(self, address: str, shard: int) -> int:
        sql = "SELECT shard FROM homes WHERE address = ?"
        if rows := self._rows(sql, (address,)):
            return int(rows[0][0])
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO homes VALUES (?, ?) ON CONFLICT DO NOTHING",
                (address, shard),
            )
            [(home,)] = connection.execute(sql, (address,))
            return int(home)

    def move_host(self, mover: Lease, name: str, shard: int, address: str) -> int:
        with self._writing() as connection:
            check_epoch(connection, mover.shard, mover.epoch)
            connection.execute(_MOVE, (name, shard, address))
            sql = "SELECT shard FROM moved_hosts WHERE name = ?"
            [(home,)] = connection.execute(sql, (name,))
            return int(home)

    def moved_hosts(self, after: int) -> list[MovedHost]:
        sql = (
            "SELECT number, name, shard, address FROM moved_hosts WHERE number > ? "
            "ORDER BY number"
        )
        return [MovedHost(*row) for row in self._rows(sql, (after,))]
