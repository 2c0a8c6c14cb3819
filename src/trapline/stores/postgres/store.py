"""The durable store of one shard in PostgreSQL.

Every write is one transaction that first locks the row of the shard at the owner's epoch: who has
been followed by another owner writes nothing (Fenced).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from trapline.core.errors import Fenced
from trapline.core.storage import Batch, Checkpoint, SteadyStore
from trapline.postgres.connection import Database
from trapline.stores.postgres import checkpoints
from trapline.stores.postgres.known_before import FENCE, KnownBefore
from trapline.stores.postgres.one_moment import OneMoment
from trapline.stores.postgres.reader import PATIENCE_S, PostgresReader
from trapline.stores.postgres.shedding import (
    page_portions,
    shed_pages,
    shed_visits,
    visit_portions,
)
from trapline.stores.postgres.statements import Statements
from trapline.stores.postgres.writes import BatchWriter
from trapline.stores.text_counting import Refusals


class PostgresStore(PostgresReader):
    """For the owner of a shard in its epoch; without one, for reading only.

    One thread commits while another reads. `commit` raises StoreAway while the server does not
    answer; the same batch may then be committed again, also if it was written the first time.
    """

    def __init__(
        self,
        database: Database,
        shard: int,
        epoch: int | None = None,
        *,
        moment: OneMoment | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        super().__init__(database, shard, moment=moment, patience_s=patience_s)
        self._epoch = epoch
        self._refusals = Refusals()
        self._tried: Batch | None = None
        self._stamp = ""

    def parts(self) -> Sequence[SteadyStore]:
        return (self,)

    def commit(self, batch: Batch) -> None:
        if batch is not self._tried:
            self._tried = batch
            self._stamp = uuid4().hex
        refusals = self._refusals
        self._refusals = Refusals()  # what a batch taught that was not written
        try:
            with self._database.transaction() as cursor:
                self._write(cursor, batch, refusals)
        except Exception as failure:
            if _is_contradiction(failure):
                raise ValueError(
                    f"the batch contradicts the store: {failure}"
                ) from failure
            raise
        self._refusals = refusals
        self._tried = None

    def _write(self, cursor: Any, batch: Batch, refusals: Refusals) -> None:
        statements = Statements(cursor, self._database.sql, self._shard)
        known = KnownBefore(statements, self._owned_epoch(), batch)
        totals = known.totals()
        # else it was written, but nobody could say so
        if totals.batch != self._stamp:
            writer = BatchWriter(statements, known, totals)
            writer.write(batch, refusals, self._stamp)

    def give_away(self, hosts: Sequence[int]) -> None:
        """These hosts are another shard's from now on."""
        for portions, shed in (
            (page_portions, shed_pages),
            (visit_portions, shed_visits),
        ):
            for portion in portions(self._rows):
                # each by itself: the lease cannot be renewed while the fence is held
                with self._database.transaction() as cursor:
                    self._fence(cursor)
                    shed(cursor, self._database.sql, self._shard, hosts, portion)

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        chunks = checkpoints.pack_checkpoint(checkpoint)
        number = self._next_checkpoint()
        # each by itself: the lease cannot be renewed while the fence is held
        for place, body in enumerate(chunks):
            row = (self._shard, number, place, len(chunks), checkpoint.calls, body)
            with self._database.transaction() as cursor:
                self._fence(cursor)
                cursor.execute(self._database.sql(checkpoints.ADD_CHUNK), row)
        with self._database.transaction() as cursor:
            self._fence(cursor)
            self._drop_before(cursor, number, checkpoint.calls)

    def _next_checkpoint(self) -> int:
        with self._database.transaction() as cursor:
            self._fence(cursor)
            sql = self._database.sql(checkpoints.NEXT_NUMBER)
            return int(cursor.execute(sql, (self._shard,)).fetchone()[0])

    def _drop_before(self, cursor: Any, number: int, calls: int) -> None:
        """What the new checkpoint covers."""
        for text, value in (
            (checkpoints.DROP_OTHERS, number),
            ("DELETE FROM @calls WHERE shard = %s AND last <= %s", calls),
            (
                "INSERT INTO @totals (shard, calls_dropped) VALUES (%s, %s)"
                " ON CONFLICT (shard) DO UPDATE SET calls_dropped ="
                " greatest(@totals.calls_dropped, excluded.calls_dropped)",
                calls,
            ),
        ):
            cursor.execute(self._database.sql(text), (self._shard, value))

    def _fence(self, cursor: Any) -> None:
        epoch = self._owned_epoch()
        sql = self._database.sql(FENCE)
        if not cursor.execute(sql, (self._shard, epoch)).fetchone():
            raise Fenced(self._shard, epoch)

    def _owned_epoch(self) -> int:
        if self._epoch is None:
            raise ValueError("the store was opened for reading only")
        return self._epoch


def _is_contradiction(failure: Exception) -> bool:
    from psycopg.errors import IntegrityError

    return isinstance(failure, IntegrityError)
