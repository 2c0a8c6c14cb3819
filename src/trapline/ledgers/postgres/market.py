"""Bids and rates, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from trapline.core.ledger import ROUNDING, TREASURER_S, Bid
from trapline.ledgers.postgres.desk import Cursor, Desk

_BID: Final = """
INSERT INTO @bids (shard, prices, per_s) VALUES (%s, %s::float8[], %s::float8[])
ON CONFLICT (shard) DO UPDATE SET prices = excluded.prices, per_s = excluded.per_s
"""
_BE_TREASURER: Final = f"""
INSERT INTO @treasurer AS t (id, worker, until)
VALUES (1, %s, clock_timestamp() + interval '{TREASURER_S} seconds')
ON CONFLICT (id) DO UPDATE SET worker = excluded.worker, until = excluded.until
    WHERE t.worker = excluded.worker OR t.until <= clock_timestamp()
RETURNING worker
"""
_IS_TREASURER: Final = """
SELECT 1 FROM @treasurer WHERE id = 1 AND worker = %s AND until > clock_timestamp() FOR SHARE
"""
_LOCK: Final = "SELECT shard, rate FROM @shards ORDER BY shard FOR NO KEY UPDATE"
_GRANT: Final = """
UPDATE @shards AS s SET rate = given.rate
FROM unnest(%s::int[], %s::float8[]) AS given (shard, rate) WHERE s.shard = given.shard
"""
_TOO_MUCH: Final = f"""
SELECT sum(greatest(rate, CASE WHEN owner <> '' AND until > clock_timestamp() THEN heard
    ELSE 0 END)) > (SELECT budget_per_s FROM @founding) * {1.0 + ROUNDING} FROM @shards
"""


class Market(Desk):
    def bid(self, bids: Sequence[Bid]) -> None:
        if not bids:
            return
        # in order: of two that bid for the same shards neither waits for the other
        rows = [
            (one.shard, list(one.prices), list(one.per_s))
            for one in sorted(bids, key=lambda one: one.shard)
        ]
        with self._database.transaction() as cursor:
            cursor.executemany(self._sql(_BID), rows)

    def bids(self) -> list[Bid]:
        rows = self._rows("SELECT shard, prices, per_s FROM @bids ORDER BY shard")
        return [
            Bid(shard, tuple(prices), tuple(per_s)) for shard, prices, per_s in rows
        ]

    def be_treasurer(self, worker: str) -> bool:
        return bool(self._rows(_BE_TREASURER, (worker,)))

    def grant(self, worker: str, rates: Mapping[int, float]) -> bool:
        with suppress(_TooMuch), self._database.transaction() as cursor:
            cursor.execute(self._sql(_IS_TREASURER), (worker,))
            if cursor.fetchone() is None:
                return False
            self._set_rates(cursor, rates)
            return True
        return False

    def _set_rates(self, cursor: Cursor, rates: Mapping[int, float]) -> None:
        cursor.execute(self._sql(_LOCK))
        before = dict(cursor.fetchall())
        cursor.execute(self._sql(_GRANT), (list(rates), list(rates.values())))
        if all(rate <= before.get(shard, rate) for shard, rate in rates.items()):
            return  # cuts are safe always
        cursor.execute(self._sql(_TOO_MUCH))
        if cursor.fetchone()[0]:
            raise _TooMuch


class _TooMuch(Exception):
    """All shards together would spend more than the budget: nothing is set."""
