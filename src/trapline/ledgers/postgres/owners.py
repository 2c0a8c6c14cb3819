"""Who owns which shard, in PostgreSQL.

Whoever locks several shards does so in their order, so that no two wait for each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trapline.core.ledger import LEASE_S, SUPERVISOR_S, Lease, OwnerRow, WorkerRow
from trapline.ledgers.postgres.desk import Desk

_END: Final = f"clock_timestamp() + interval '{LEASE_S} seconds'"
_CLAIM: Final = f"""
WITH free AS (
    SELECT shard FROM @shards WHERE owner = '' OR until <= clock_timestamp()
    ORDER BY shard LIMIT %s FOR NO KEY UPDATE SKIP LOCKED)
UPDATE @shards AS s SET owner = %s, epoch = s.epoch + 1, until = {_END}, heard = s.rate
FROM free WHERE s.shard = free.shard RETURNING s.shard, s.epoch, s.rate
"""
# Whoever lets a lease end has nothing in force: its rate was free for others meanwhile. All others
# spend by what they say, until they have heard what they are told here.
_RENEW: Final = f"""
WITH held AS (
    SELECT * FROM unnest(%(shards)s::int[], %(epochs)s::bigint[], %(heard)s::float8[])
    AS h (shard, epoch, heard)),
mine AS (
    SELECT s.shard FROM @shards AS s JOIN held USING (shard)
    WHERE s.epoch = held.epoch AND s.owner = %(worker)s
    ORDER BY s.shard FOR NO KEY UPDATE OF s),
kept AS (
    INSERT INTO @workers AS w (name, until, load, draining)
    VALUES (%(worker)s, {_END}, %(load)s, false)
    ON CONFLICT (name) DO UPDATE SET draining = w.draining AND w.until > clock_timestamp(),
        until = excluded.until, load = excluded.load)
UPDATE @shards AS s SET until = {_END}, heard = CASE WHEN s.until > clock_timestamp()
    THEN greatest(coalesce(held.heard, s.heard), s.rate) ELSE s.rate END
FROM held JOIN mine USING (shard)
WHERE s.shard = held.shard AND s.epoch = held.epoch AND s.owner = %(worker)s
RETURNING s.shard, s.rate
"""
_RELEASE: Final = """
UPDATE @shards SET owner = '', until = '-infinity'
WHERE shard = %s AND epoch = %s AND owner = %s
"""
OWNER: Final = """s.shard, epoch, owner,
    CASE WHEN owner = '' THEN 0 ELSE extract(epoch FROM until - clock_timestamp()) END::float8,
    rate, heard"""
_OWNERS: Final = f"SELECT {OWNER} FROM @shards AS s ORDER BY s.shard"
_WORKERS: Final = """
SELECT name, left_s, load, draining FROM (
    SELECT *, extract(epoch FROM until - clock_timestamp())::float8 AS left_s FROM @workers) AS w
WHERE left_s > 0 ORDER BY name
"""
_DRAIN: Final = """
UPDATE @workers SET draining = true WHERE name = %s AND until > clock_timestamp() RETURNING name
"""
_SUPERVISE: Final = f"""
INSERT INTO @treasurer AS t (id, worker, until)
VALUES (2, %s, clock_timestamp() + interval '{SUPERVISOR_S} seconds')
ON CONFLICT (id) DO UPDATE SET worker = excluded.worker, until = excluded.until
    WHERE t.worker = excluded.worker OR t.until <= clock_timestamp()
RETURNING 0::float8
"""
_SUPERVISED: Final = """
SELECT greatest(extract(epoch FROM until - clock_timestamp()), 0.001)::float8
FROM @treasurer WHERE id = 2
"""
_LEAVE: Final = (
    """
    WITH mine AS (
        SELECT s.shard FROM @shards AS s
        JOIN unnest(%(shards)s::int[], %(epochs)s::bigint[]) AS held (shard, epoch) USING (shard)
        WHERE s.epoch = held.epoch AND s.owner = %(worker)s
        ORDER BY s.shard FOR NO KEY UPDATE OF s)
    UPDATE @shards AS s SET owner = '', until = '-infinity'
    FROM mine WHERE s.shard = mine.shard
    """,
    "UPDATE @treasurer SET until = '-infinity' WHERE worker = %(worker)s",
    """
    DELETE FROM @workers WHERE name IN (SELECT name FROM @workers
        WHERE name = %(worker)s OR until <= clock_timestamp() FOR UPDATE SKIP LOCKED)
    """,
)


class Owners(Desk):
    def claim(self, worker: str, most: int) -> list[Lease]:
        rows = self._rows(_CLAIM, (max(most, 0), worker))
        return [Lease(*row) for row in sorted(rows)]

    def renew(
        self,
        worker: str,
        held: Mapping[int, int],
        heard: Mapping[int, float],
        load: float,
    ) -> dict[int, float]:
        values = {
            "worker": worker,
            "load": load,
            "shards": list(held),
            "epochs": list(held.values()),
            "heard": [heard.get(shard) for shard in held],
        }
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(_RENEW), values)
            return dict(cursor.fetchall())

    def release(self, worker: str, shard: int, epoch: int) -> None:
        self._do(_RELEASE, (shard, epoch, worker))

    def owners(self) -> list[OwnerRow]:
        return [OwnerRow(*row) for row in self._rows(_OWNERS)]

    def workers(self) -> list[WorkerRow]:
        return [WorkerRow(*row) for row in self._rows(_WORKERS)]

    def drain(self, worker: str) -> bool:
        return bool(self._rows(_DRAIN, (worker,)))

    def leave(self, worker: str, held: Mapping[int, int]) -> None:
        values = {
            "worker": worker,
            "shards": list(held),
            "epochs": list(held.values()),
        }
        with self._database.transaction() as cursor:
            for text in _LEAVE:
                cursor.execute(self._sql(text), values)

    def supervise(self, name: str) -> float:
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(_SUPERVISE), (name,))
            if cursor.fetchone() is not None:
                return 0.0
            cursor.execute(self._sql(_SUPERVISED))
            return float(cursor.fetchone()[0])
