"""One moment of a crawl in PostgreSQL, for all readers that share it.

Whoever holds still takes one connection for one transaction. The stores of many shards share a
moment: one each would take all connections of the process, and wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trapline.postgres.connection import Database


class OneMoment:
    """For one thread at a time: others would see the past."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cursor: Any = None

    @property
    def cursor(self) -> Any:
        """What reads as of the moment that is held; None = each reading has a moment of its own."""
        return self._cursor

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Within a moment that is held already it is that one."""
        if self._cursor is not None:
            yield
            return
        with self._database.transaction(one_moment=True) as cursor:
            self._cursor = cursor
            try:
                yield
            finally:
                self._cursor = None
