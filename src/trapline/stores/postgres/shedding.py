"""A shard in PostgreSQL that is doubled: a copy of all its rows, and letting go of the hosts that
the other shard has taken over.

Numbers and names of hosts and pages stay, for numbers are dense; and so do counts of what others
call their pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
# pages, and numbers of visits, that are looked at in one transaction: while it holds the fence,
# the leases of the worker cannot be renewed
PORTION: Final = 1_000
_GIVEN: Final = """(SELECT page FROM @urls WHERE shard = %(shard)s
    AND host = ANY(%(hosts)s::int[]) AND page >= %(first)s AND page < %(after)s)"""
_VISITS: Final = """FROM @visits WHERE shard = %(shard)s
    AND host = ANY(%(hosts)s::int[]) AND number >= %(first)s AND number < %(after)s"""
_COUNT_PAGES: Final = """
UPDATE @totals SET held = held - %(pages)s, revision = revision + %(pages)s
WHERE shard = %(shard)s
"""
_COUNT_VISITS: Final = f"""
UPDATE @totals SET visits = visits - (SELECT count(*) {_VISITS} AND kind = %(kind)s)
WHERE shard = %(shard)s
"""
_PAGES: Final = "SELECT min(page), max(page) FROM @urls WHERE shard = %s"
_NUMBERS: Final = "SELECT min(number), max(number) FROM @visits WHERE shard = %s"
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
Rows = Callable[[str], list[tuple[Any, ...]]]  # of the shard


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


def page_portions(rows: Rows) -> Iterator[range]:
    """Of all pages of a shard, in order."""
    return _portions(rows(_PAGES))


def visit_portions(rows: Rows) -> Iterator[range]:
    """Of the numbers of all visits."""
    return _portions(rows(_NUMBERS))


def _portions(found: list[tuple[Any, ...]]) -> Iterator[range]:
    [(first, last)] = found
    if first is None:
        return
    for start in range(first, last + 1, PORTION):
        yield range(start, start + PORTION)


def shed_pages(
    cursor: Any, sql: Sql, shard: int, hosts: Sequence[int], pages: range
) -> None:
    """Those of these hosts, in a transaction of the caller's; doing it again changes nothing."""
    values = _values(shard, hosts, pages)
    for table in _DROPPED:
        text = f"DELETE FROM @{table} WHERE shard = %(shard)s AND page IN {_GIVEN}"
        cursor.execute(sql(text), values)
    cursor.execute(sql(_GONE), values)
    cursor.execute(sql(_COUNT_PAGES), {"shard": shard, "pages": cursor.rowcount})


def shed_visits(
    cursor: Any, sql: Sql, shard: int, hosts: Sequence[int], numbers: range
) -> None:
    """Those at these hosts, likewise."""
    values = _values(shard, hosts, numbers)
    cursor.execute(sql(_COUNT_VISITS), {**values, "kind": int(Kind.PAGE)})
    cursor.execute(sql(f"DELETE {_VISITS}"), values)


def _values(shard: int, hosts: Sequence[int], portion: range) -> dict[str, Any]:
    return {
        "shard": shard,
        "hosts": list(hosts),
        "first": portion.start,
        "after": portion.stop,
    }
