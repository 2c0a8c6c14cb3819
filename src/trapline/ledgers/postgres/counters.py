"""Numbers without holes that readers see in order.

A sequence gives numbers before transactions end, and these end in any order: a reader that has
seen 8 would miss 7. So whoever counts locks the row of the counter until its transaction ends.
"""

from __future__ import annotations

from collections.abc import Callable

from trapline.ledgers.postgres.desk import Cursor

Sql = Callable[[str], str]


def lock_counter(cursor: Cursor, sql: Sql, name: str) -> int:
    """The last number given; nobody else gives one until this transaction ends."""
    new = "INSERT INTO @counters (name, last) VALUES (%s, 0) ON CONFLICT DO NOTHING"
    cursor.execute(sql(new), (name,))
    lock = "SELECT last FROM @counters WHERE name = %s FOR UPDATE"
    cursor.execute(sql(lock), (name,))
    return int(cursor.fetchone()[0])


def set_counter(cursor: Cursor, sql: Sql, name: str, last: int) -> None:
    cursor.execute(sql("UPDATE @counters SET last = %s WHERE name = %s"), (last, name))
