"""Bids and rates, in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

import apsw

from trapline.core.ledger import ROUNDING, TREASURER_S, Bid
from trapline.ledgers.sqlite.desk import Desk

_BID: Final = """
INSERT INTO bids VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET prices = excluded.prices, per_s = excluded.per_s
"""
_BE_TREASURER: Final = """
INSERT INTO treasurer VALUES (1, ?1, ?2, ?4)
ON CONFLICT DO UPDATE SET worker = ?1, boot = ?2, until_s = ?4
    WHERE worker = ?1 OR boot <> ?2 OR until_s <= ?3
RETURNING worker
"""
_HEARD: Final = (
    "SELECT shard, heard FROM shards WHERE owner <> '' AND boot = ? AND until_s > ?"
)


class Market(Desk):
    def bid(self, bids: Sequence[Bid]) -> None:
        rows = [
            (one.shard, json.dumps(one.prices), json.dumps(one.per_s)) for one in bids
        ]
        with self._writing() as connection:
            connection.executemany(_BID, rows)

    def bids(self) -> list[Bid]:
        rows = self._rows("SELECT shard, prices, per_s FROM bids ORDER BY shard")
        return [
            Bid(shard, tuple(json.loads(prices)), tuple(json.loads(per_s)))
            for shard, prices, per_s in rows
        ]

    def be_treasurer(self, worker: str) -> bool:
        with self._writing() as connection:
            boot, now_s = self._ends(0.0)
            values = (worker, boot, now_s, now_s + TREASURER_S)
            return connection.execute(_BE_TREASURER, values).fetchone() is not None

    def grant(self, worker: str, rates: Mapping[int, float]) -> bool:
        with self._writing() as connection:
            if not self._is_treasurer(connection, worker):
                return False
            before = dict(connection.execute("SELECT shard, rate FROM shards"))
            raised = any(
                rate > before.get(shard, rate) for shard, rate in rates.items()
            )
            if raised and self._is_too_much(connection, before | dict(rates)):
                return False
            connection.executemany(
                "UPDATE shards SET rate = ? WHERE shard = ?",
                [(rate, shard) for shard, rate in rates.items()],
            )
            return True

    def _is_too_much(
        self, connection: apsw.Connection, rates: Mapping[int, float]
    ) -> bool:
        """Whether all shards together could spend more than the budget, cuts being unheard."""
        heard = dict(connection.execute(_HEARD, self._ends(0.0)))
        budget_per_s = connection.execute("SELECT budget_per_s FROM founding").get
        in_force = sum(
            max(rate, heard.get(shard, 0.0)) for shard, rate in rates.items()
        )
        return bool(in_force > budget_per_s * (1.0 + ROUNDING))

    def _is_treasurer(self, connection: apsw.Connection, worker: str) -> bool:
        sql = (
            "SELECT 1 FROM treasurer WHERE id = 1 "
            "AND worker = ? AND boot = ? AND until_s > ?"
        )
        values = (worker, *self._ends(0.0))
        return connection.execute(sql, values).fetchone() is not None
