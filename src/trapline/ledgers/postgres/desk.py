"""What every part of the ledger in PostgreSQL works with: a database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from trapline.core.errors import Fenced
from trapline.core.ledger import Lease

_EPOCH: Final = "SELECT 1 FROM @shards WHERE shard = %s AND epoch = %s FOR SHARE"


class Cursor(Protocol):
    """As much of a cursor of psycopg as ledgers need."""

    def execute(self, query: Any, params: Any = None) -> Any: ...

    def executemany(self, query: Any, params_seq: Any) -> None: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Database(Protocol):
    """Where the tables are; `shown` has no password."""

    @property
    def shown(self) -> str: ...

    def sql(self, text: str) -> str:
        """With every table (@name) named by its schema."""

    def transaction(self) -> AbstractContextManager[Cursor]:
        """What is done inside is durable in the end, or undone; StoreAway if nobody answers."""

    def close(self) -> None: ...


class Desk:
    def __init__(self, database: Database) -> None:
        self._database = database

    def _sql(self, text: str) -> str:
        return self._database.sql(text)

    def _rows(self, text: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(text), values)
            return cursor.fetchall()

    def _do(self, text: str, values: tuple[Any, ...] = ()) -> None:
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(text), values)

    def close(self) -> None:
        self._database.close()


def check_epoch(cursor: Cursor, sql: Callable[[str], str], lease: Lease) -> None:
    """Raise Fenced unless this is the shard's epoch, and let no other begin in this transaction."""
    cursor.execute(sql(_EPOCH), (lease.shard, lease.epoch))
    if cursor.fetchone() is None:
        raise Fenced(lease.shard, lease.epoch)
