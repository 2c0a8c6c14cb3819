"""One moment of a crawl in PostgreSQL, for all readers that share it.

Whoever holds still takes one connection for one transaction. The stores of many shards share a
moment: one each would take all connections of the process, and wait for each other.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trapline.postgres.connection import Database


class _Held(threading.local):
    cursor: Any = None


class OneMoment:
    """Each thread holds its own: a server's pages and its index are read by several at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held = _Held()

    @property
    def cursor(self) -> Any:
        """What reads as of the moment that this thread holds; None = each reading has a moment of
        its own.
        """
        return self._held.cursor

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Within a moment that is held already it is that one."""
        if self._held.cursor is not None:
            yield
            return
        with self._database.transaction(one_moment=True) as cursor:
            self._held.cursor = cursor
            try:
                yield
            finally:
                self._held.cursor = None
