"""Who owns which shard, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trapline.core.ledger import LEASE_S, SUPERVISOR_S, Lease, OwnerRow, WorkerRow
from trapline.ledgers.sqlite.desk import Desk

_FREE: Final = "(owner = '' OR boot <> ? OR until_s <= ?)"
_CLAIM: Final = f"""
UPDATE shards SET owner = ?, epoch = epoch + 1, boot = ?, until_s = ?, heard = rate
WHERE shard IN (SELECT shard FROM shards WHERE {_FREE} ORDER BY shard LIMIT ?)
RETURNING shard, epoch, rate
"""
# Whoever lets a lease end has nothing in force: its rate was free for others meanwhile. All others
# spend by what they say, until they have heard what they are told here.
_RENEW: Final = """
UPDATE shards SET heard = CASE WHEN boot = ?1 AND until_s > ?2
    THEN max(coalesce(?4, heard), rate) ELSE rate END, boot = ?1, until_s = ?3
WHERE shard = ?5 AND epoch = ?6 AND owner = ?7 RETURNING shard, rate
"""
_OWNERS: Final = (
    "SELECT shard, epoch, owner, boot, until_s, rate, heard FROM shards ORDER BY shard"
)
_KEEP_WORKER: Final = """
INSERT INTO workers (name, boot, until_s, load) VALUES (?1, ?2, ?4, ?5)
ON CONFLICT (name) DO UPDATE SET draining = draining AND boot = ?2 AND until_s > ?3,
    boot = ?2, until_s = ?4, load = ?5
"""
_RELEASE: Final = (
    "UPDATE shards SET owner = '', until_s = 0 "
    "WHERE shard = ? AND epoch = ? AND owner = ?"
)
_END_TREASURER: Final = "UPDATE treasurer SET until_s = 0 WHERE worker = ?"
_SUPERVISE: Final = """
INSERT INTO treasurer VALUES (2, ?1, ?2, ?4)
ON CONFLICT DO UPDATE SET worker = ?1, boot = ?2, until_s = ?4
    WHERE worker = ?1 OR boot <> ?2 OR until_s <= ?3
RETURNING worker
"""
_DROP_WORKERS: Final = "DELETE FROM workers WHERE name = ? OR boot <> ? OR until_s <= ?"


class Owners(Desk):
    def claim(self, worker: str, most: int) -> list[Lease]:
        with self._writing() as connection:
            boot, now_s = self._ends(0.0)
            values = (worker, boot, now_s + LEASE_S, boot, now_s, max(most, 0))
            return sorted(
                (Lease(*row) for row in connection.execute(_CLAIM, values)),
                key=lambda lease: lease.shard,
            )

    def renew(
        self,
        worker: str,
        held: Mapping[int, int],
        heard: Mapping[int, float],
        load: float,
    ) -> dict[int, float]:
        with self._writing() as connection:
            boot, now_s = self._ends(0.0)
            until_s = now_s + LEASE_S
            connection.execute(_KEEP_WORKER, (worker, boot, now_s, until_s, load))
            renewals = [
                (boot, now_s, until_s, heard.get(shard), shard, epoch, worker)
                for shard, epoch in held.items()
            ]
            return dict(connection.executemany(_RENEW, renewals))

    def release(self, worker: str, shard: int, epoch: int) -> None:
        with self._writing() as connection:
            connection.execute(_RELEASE, (shard, epoch, worker))

    def owners(self) -> list[OwnerRow]:
        return [self._owner(*row) for row in self._rows(_OWNERS)]

    def _owner(
        self,
        shard: int,
        epoch: int,
        owner: str,
        boot: str,
        until_s: float,
        *rates: float,
    ) -> OwnerRow:
        left_s = self._left_s(boot, until_s) if owner else 0.0
        return OwnerRow(shard, epoch, owner, left_s, *rates)

    def workers(self) -> list[WorkerRow]:
        rows = self._rows(
            "SELECT name, boot, until_s, load, draining FROM workers ORDER BY name"
        )
        found = (
            WorkerRow(
                name,
                self._left_s(boot, until_s),
                load,
                bool(draining),
            )
            for name, boot, until_s, load, draining in rows
        )
        return [row for row in found if row.left_s > 0.0]

    def drain(self, worker: str) -> bool:
        sql = (
            "UPDATE workers SET draining = 1 "
            "WHERE name = ? AND boot = ? AND until_s > ? RETURNING name"
        )
        with self._writing() as connection:
            values = (worker, *self._ends(0.0))
            return connection.execute(sql, values).fetchone() is not None

    def leave(self, worker: str, held: Mapping[int, int]) -> None:
        leases = [(shard, epoch, worker) for shard, epoch in held.items()]
        with self._writing() as connection:
            connection.executemany(_RELEASE, leases)
            connection.execute(_END_TREASURER, (worker,))
            connection.execute(_DROP_WORKERS, (worker, *self._ends(0.0)))

    def supervise(self, name: str) -> float:
        with self._writing() as connection:
            boot, now_s = self._ends(0.0)
            values = (name, boot, now_s, now_s + SUPERVISOR_S)
            if connection.execute(_SUPERVISE, values).fetchone() is not None:
                return 0.0
            sql = "SELECT until_s FROM treasurer WHERE id = 2"
            [(until_s,)] = connection.execute(sql)
            return float(until_s - now_s)
