"""The ledger of a crawl in PostgreSQL."""

from __future__ import annotations

import time
from typing import Final

from trapline.core.errors import ShardsFixed
from trapline.core.ledger import Founding, ShardRow
from trapline.ledgers.postgres.desk import Cursor
from trapline.ledgers.postgres.doubling import Doubling
from trapline.ledgers.postgres.homes import Homes
from trapline.ledgers.postgres.letters import Letters
from trapline.ledgers.postgres.market import Market
from trapline.ledgers.postgres.owners import OWNER, Owners
from trapline.ledgers.postgres.words import Words

_LOOKS: Final = 3  # at the clock; the quickest answer says most
_FOUNDING: Final = "SELECT shards, settings, budget_per_s FROM @founding"
_FOUND: Final = """
INSERT INTO @founding (id, shards, settings, budget_per_s) VALUES (1, %s, %s, %s)
ON CONFLICT DO NOTHING RETURNING id
"""
_DIVIDE: Final = """
INSERT INTO @shards (shard, epoch, owner, until, rate, heard, report)
SELECT shard, 0, '', '-infinity', %(share)s, %(share)s, ''
FROM generate_series(0, %(last)s) AS shard
"""
_REFOUND: Final = "UPDATE @founding SET settings = %s, budget_per_s = %s"
# Cuts only, or the sum could exceed the budget: raising is the treasurer's.
_CUT: Final = """
WITH every AS (SELECT shard FROM @shards ORDER BY shard FOR NO KEY UPDATE)
UPDATE @shards AS s SET rate = CASE WHEN %(share)s::float8 = 'Infinity' THEN %(share)s::float8
    ELSE least(s.rate, %(share)s::float8) END
FROM every WHERE s.shard = every.shard
"""
_CLOCK: Final = "SELECT extract(epoch FROM clock_timestamp())::float8"
_SHARDS: Final = f"""
SELECT {OWNER}, report,
    coalesce(extract(epoch FROM clock_timestamp() - reported), 'Infinity')::float8,
    coalesce(waiting, 0), coalesce(extract(epoch FROM clock_timestamp() - first), 0)::float8
FROM @shards AS s LEFT JOIN (SELECT shard, count(*) AS waiting, min(posted) AS first
    FROM @mail GROUP BY shard) AS m ON m.shard = s.shard
ORDER BY s.shard
"""


class PostgresLedger(Owners, Doubling, Letters, Homes, Market, Words):
    """Used by workers on any machine. StoreAway while the server does not answer."""

    def founding(self) -> Founding | None:
        rows = self._rows(_FOUNDING)
        return Founding(*rows[0]) if rows else None

    def establish(self, founding: Founding) -> None:
        wanted = (founding.shards, founding.settings, founding.budget_per_s)
        share = {"share": founding.budget_per_s / founding.shards}
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(_FOUND), wanted)
            if cursor.fetchone() is not None:
                values = share | {"last": founding.shards - 1}
                cursor.execute(self._sql(_DIVIDE), values)
                return
            budget_per_s = self._lock_founding(cursor, founding.shards)
            cursor.execute(self._sql(_REFOUND), wanted[1:])
            if budget_per_s != founding.budget_per_s:
                cursor.execute(self._sql(_CUT), share)

    def _lock_founding(self, cursor: Cursor, shards: int) -> float:
        """Its budget, as it was made or last changed."""
        cursor.execute(self._sql(f"{_FOUNDING} FOR UPDATE"))
        made, _, budget_per_s = cursor.fetchone()
        if made != shards:
            raise ShardsFixed(self._database.shown, made, shards)
        return float(budget_per_s)

    def clock_off_s(self) -> float:
        with self._database.transaction() as cursor:
            looks = [_compare_clocks(cursor) for _ in range(_LOOKS)]
        return min(looks)[1]

    def shards(self) -> list[ShardRow]:
        return [ShardRow(*row) for row in self._rows(_SHARDS)]


def _compare_clocks(cursor: Cursor) -> tuple[float, float]:
    """(round trip, how far our clock is ahead): the server looked half-way."""
    began_s = time.time()
    cursor.execute(_CLOCK)
    server_s = float(cursor.fetchone()[0])
    ended_s = time.time()
    return ended_s - began_s, (began_s + ended_s) / 2.0 - server_s
