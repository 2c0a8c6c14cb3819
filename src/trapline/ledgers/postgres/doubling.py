"""Doubling the shards of a crawl at rest, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trapline.core.ledger import MovedHost
from trapline.ledgers.postgres.counters import lock_counter, set_counter
from trapline.ledgers.postgres.desk import Cursor, Desk

# nobody takes or loses one meanwhile
_LOCK: Final = "SELECT shard FROM @shards ORDER BY shard FOR UPDATE"
_OWNED: Final = """
SELECT count(*) = (SELECT shards FROM @founding) FROM @shards
WHERE owner = %s AND until > clock_timestamp()
"""
_HALVE: Final = """
UPDATE @shards SET rate = rate / 2, heard = heard / 2 WHERE rate < 'Infinity'
"""
_ADD: Final = """
INSERT INTO @shards (shard, epoch, owner, until, rate, heard, report)
SELECT shard + (SELECT shards FROM @founding), 0, '', '-infinity', rate, heard, '' FROM @shards
"""
_HOMES: Final = """
UPDATE @homes AS h SET shard = n.shard FROM unnest(%s::text[], %s::int[]) AS n (address, shard)
WHERE h.address = n.address
"""
_MOVED: Final = (
    "INSERT INTO @moved_hosts (number, name, shard, address) VALUES (%s, %s, %s, %s)"
)


class Doubling(Desk):
    def double(
        self, worker: str, homes: Mapping[str, int], moved: Sequence[MovedHost]
    ) -> bool:
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(_LOCK))
            cursor.execute(self._sql(_OWNED), (worker,))
            if not cursor.fetchone()[0]:
                return False
            cursor.execute(self._sql(_HALVE))
            cursor.execute(self._sql(_ADD))
            cursor.execute(self._sql("UPDATE @founding SET shards = 2 * shards"))
            cursor.execute(self._sql("DELETE FROM @bids"))
            self._settle(cursor, homes, moved)
            return True

    def _settle(
        self, cursor: Cursor, homes: Mapping[str, int], moved: Sequence[MovedHost]
    ) -> None:
        cursor.execute(self._sql(_HOMES), (list(homes), list(homes.values())))
        lock_counter(cursor, self._sql, "moved hosts")
        cursor.execute(self._sql("DELETE FROM @moved_hosts"))
        cursor.executemany(self._sql(_MOVED), [tuple(one) for one in moved])
        set_counter(cursor, self._sql, "moved hosts", len(moved))
