"""Statements about one shard, inside a transaction that the caller has begun.

They are not pipelined: in the midst of a pipeline the server does not see that a process stands
still, and keeps its locks; and with a sync after each statement large batches waited for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Row = tuple[Any, ...]


def readable(text: str) -> str:
    """PostgreSQL has no texts with a zero in them."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


class Statements:
    def __init__(self, cursor: Any, sql: Callable[[str], str], shard: int) -> None:
        self._cursor = cursor
        self._sql = sql
        self.shard = shard

    def do(self, text: str, *values: Any) -> None:
        self._cursor.execute(self._sql(text), values)

    def ask(self, text: str, *values: Any) -> Any:
        """A cursor, to fetch rows from when they are needed."""
        return self._cursor.connection.execute(self._sql(text), values)

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
