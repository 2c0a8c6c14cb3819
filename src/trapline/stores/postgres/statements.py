"""Statements about one shard, inside a transaction and a pipeline that the caller has begun.

What needs no answer does not wait for one; answers that are asked for in a row come together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Row = tuple[Any, ...]


def readable(text: str) -> str:
    """PostgreSQL has no texts with a zero in them."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


class Statements:
    """Of one shard, in a pipeline of statements.

    Each is followed by a sync: only so does the server see that nobody goes on with a transaction,
    and frees the locks of a process that stands still.
    """

    def __init__(
        self,
        cursor: Any,
        sql: Callable[[str], str],
        shard: int,
        sync: Callable[[], None],
    ) -> None:
        self._cursor = cursor
        self._sync = sync
        self._sql = sql
        self.shard = shard

    def do(self, text: str, *values: Any) -> None:
        self._cursor.execute(self._sql(text), values)
        self._sync()

    def ask(self, text: str, *values: Any) -> Any:
        """A cursor, to fetch rows from when they are needed."""
        found = self._cursor.connection.execute(self._sql(text), values)
        self._sync()
        return found

    def ask_of(self, text: str, pages: Iterable[int]) -> Any:
        """The same of some pages of the shard."""
        where = "WHERE shard = %s AND page = ANY(%b::bigint[])"
        return self.ask(f"{text} {where}", self.shard, list(pages))

    def insert(
        self, table: str, kinds: str, values: Sequence[Row], on_conflict: str = ""
    ) -> None:
        """All rows at once, column by column."""
        if not values:
            return
        # %b: bytes as they are, not as digits
        columns = ", ".join(f"%b::{kind}[]" for kind in kinds.split())
        self.do(
            f"INSERT INTO {table} SELECT %s, * FROM unnest({columns}) {on_conflict}",
            self.shard,
            *map(list, zip(*values, strict=True)),
        )

    def delete(self, table: str, pages: Iterable[int]) -> None:
        numbers = list(pages)
        if numbers:
            self.do(
                f"DELETE FROM {table} WHERE shard = %s AND page = ANY(%b::bigint[])",
                self.shard,
                numbers,
            )
