"""A shard in PostgreSQL that is doubled: a copy of all its rows, and letting go of the hosts that
the other shard has taken over.

Numbers and names of hosts and pages stay, for numbers are dense; and so do counts of what others
call their pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from trapline.core.records import Kind

_TABLES: Final = (
    *("totals", "hosts", "urls", "documents", "bodies", "links", "link_texts"),
    *("link_sources", "visits", "diffs", "last_changes", "versions", "calls"),
    *("checkpoints", "notes"),
)
_DROPPED: Final = (
    *("bodies", "links", "link_sources"),
    *("last_changes", "versions", "diffs"),
)
_GIVEN: Final = (
    "(SELECT page FROM @urls WHERE shard = %(shard)s AND host = ANY(%(hosts)s::int[]))"
)
_VISITS: Final = "FROM @visits WHERE shard = %(shard)s AND host = ANY(%(hosts)s::int[])"
_COUNT: Final = f"""
UPDATE @totals SET visits = visits - (SELECT count(*) {_VISITS} AND kind = %(kind)s),
    held = held - %(pages)s, revision = revision + %(pages)s WHERE shard = %(shard)s
"""
_GONE: Final = f"""
WITH gone AS (SELECT page, row_number() OVER (ORDER BY page) AS place FROM @documents
    WHERE shard = %(shard)s AND held AND page IN {_GIVEN})
UPDATE @documents AS d SET held = false, relevance = 0, fingerprint = 0, etag = '',
    last_modified = '', fetched_s = 0, changed_s = 0, language = '', simhash = 0, same_as = -1,
    fields = '', rules = 0, revision = gone.place + (SELECT revision FROM @totals
        WHERE shard = %(shard)s)
FROM gone WHERE d.shard = %(shard)s AND d.page = gone.page
"""
_COLUMNS: Final = """
SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 1 AND NOT attisdropped
ORDER BY attnum
"""

Sql = Callable[[str], str]


def copy_shard(cursor: Any, sql: Sql, shard: int, to: int) -> None:
    """All rows of a shard once more, in place of what is there."""
    for name in _TABLES:
        table = sql(f"@{name}")
        cursor.execute(f"DELETE FROM {table} WHERE shard = %s", (to,))
        cursor.execute(_COLUMNS, (table,))
        columns = ", ".join(column for (column,) in cursor.fetchall())
        cursor.execute(
            f"INSERT INTO {table} (shard, {columns})"
            f" SELECT %s, {columns} FROM {table} WHERE shard = %s",
            (to, shard),
        )


def shed_hosts(cursor: Any, sql: Sql, shard: int, hosts: Sequence[int]) -> None:
    """In a transaction of the caller's; doing it again changes nothing."""
    values = {"shard": shard, "hosts": list(hosts), "kind": int(Kind.PAGE)}
    for table in _DROPPED:
        text = f"DELETE FROM @{table} WHERE shard = %(shard)s AND page IN {_GIVEN}"
        cursor.execute(sql(text), values)
    cursor.execute(sql(_GONE), values)
    cursor.execute(sql(_COUNT), {**values, "pages": cursor.rowcount})
    cursor.execute(sql(f"DELETE {_VISITS}"), values)
