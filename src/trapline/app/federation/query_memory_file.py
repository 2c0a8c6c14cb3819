"""The table of past queries in `oasis.sqlite`: what a broker was asked, and how well it answered.

One row for a query on a day, bounded in rows and in what a row holds. No addresses, no times finer
than a day. Other tables of the file are the broker's: it opens the same one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

FILE: Final = "oasis.sqlite"
MOST_ROWS: Final = 10_000
MOST_DAYS: Final = 60
MOST_PAGES: Final = 5  # of which the URL is kept, a row
MOST_ENGINES: Final = 32  # a row
LONGEST_URL: Final = 500
_WAIT_MS: Final = 5_000  # for another process that writes
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS past_queries (query TEXT NOT NULL, day INTEGER NOT NULL,
    times INTEGER NOT NULL, found INTEGER NOT NULL, best REAL NOT NULL, opened INTEGER NOT NULL,
    counts TEXT NOT NULL, pages TEXT NOT NULL, PRIMARY KEY (query, day)) WITHOUT ROWID
"""
_FIELDS: Final = "query, day, times, found, best, opened, counts, pages"
_PUT: Final = "INSERT OR REPLACE INTO past_queries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
# the rarest go first, of those the oldest
_BOUND: Final = """
DELETE FROM past_queries WHERE (query, day) IN (SELECT query, day FROM past_queries
    ORDER BY times DESC, day DESC, query LIMIT -1 OFFSET ?)
"""


@dataclass(frozen=True, slots=True)
class QueryDay:
    """A query on a day. Engines are named by their keys; those in `pairs` held the same page."""

    query: str
    day: int  # since 1970
    times: int
    found: int  # pages, at most
    best: float  # score of the best page over the rarities of the words, on average
    opened: int  # results
    asked: dict[str, int]  # engine → times
    hits: dict[str, int]  # engine → how many of the ten best it held
    pairs: dict[str, int]  # "one other" → how many of the ten best both held
    pages: dict[str, list[str]]  # URL → engines that held it; the best, in order
    opened_pages: tuple[str, ...] = ()  # URLs

    def plus(self, later: QueryDay) -> QueryDay:
        """Both together."""
        times = self.times + later.times
        best = self.times * self.best + later.times * later.best
        return QueryDay(
            self.query,
            max(self.day, later.day),
            times,
            max(self.found, later.found),
            best / times if times else 0.0,
            self.opened + later.opened,
            _add(self.asked, later.asked),
            _add(self.hits, later.hits),
            _add(self.pairs, later.pairs),
            _first_pages(
                later.pages | self.pages, self.opened_pages + later.opened_pages
            ),
            tuple(dict.fromkeys(self.opened_pages + later.opened_pages))[:MOST_PAGES],
        )


def add_queries(folder: Path, rows: Iterable[QueryDay]) -> None:
    """Add to what is remembered; raises apsw.Error or OSError if it cannot be written."""
    _make_private(folder / FILE)
    with _connect(folder, apsw.SQLITE_OPEN_READWRITE) as connection, connection:
        connection.execute(_SCHEMA)
        for row in rows:
            known = _select(
                connection, "WHERE query = ? AND day = ?", (row.query, row.day)
            )
            connection.execute(_PUT, _as_row(known[0].plus(row) if known else row))
        [(newest,)] = connection.execute("SELECT max(day) FROM past_queries")
        if newest is not None:
            oldest = int(newest) - MOST_DAYS
            connection.execute("DELETE FROM past_queries WHERE day < ?", (oldest,))
        connection.execute(_BOUND, (MOST_ROWS,))


def read_queries(folder: Path, since_day: int = 0) -> list[QueryDay]:
    """Each query once, all its days together; nothing where nothing is remembered, or the file is
    damaged.
    """
    if not (folder / FILE).exists():
        return []
    try:
        with _connect(folder, apsw.SQLITE_OPEN_READONLY) as connection:
            rows = _select(connection, "WHERE day >= ? ORDER BY day", (since_day,))
    except (apsw.Error, ValueError):
        return []
    found: dict[str, QueryDay] = {}
    for row in rows:
        known = found.get(row.query)
        found[row.query] = row if known is None else known.plus(row)
    return list(found.values())


def first_day(folder: Path, today: int) -> int:
    """The first day that is remembered; today if there is none."""
    if not (folder / FILE).exists():
        return today
    try:
        with _connect(folder, apsw.SQLITE_OPEN_READONLY) as connection:
            [(first,)] = connection.execute("SELECT min(day) FROM past_queries")
    except apsw.Error:
        return today
    return today if first is None else int(first)


def _select(
    connection: apsw.Connection, where: str, values: tuple[Any, ...]
) -> list[QueryDay]:
    rows = connection.execute(f"SELECT {_FIELDS} FROM past_queries {where}", values)
    return [_from_row(row) for row in rows]


def _as_row(one: QueryDay) -> tuple[Any, ...]:
    counts = [_bound(table) for table in (one.asked, one.hits, one.pairs)]
    pages = _first_pages(one.pages, one.opened_pages)
    return (
        one.query,
        one.day,
        one.times,
        one.found,
        one.best,
        one.opened,
        json.dumps(counts),
        json.dumps([pages, one.opened_pages]),
    )


def _from_row(row: Any) -> QueryDay:
    query, day, times, found, best, opened, counts, pages = row
    asked, hits, pairs = json.loads(counts)
    shown, opened_pages = json.loads(pages)
    return QueryDay(
        str(query),
        int(day),
        int(times),
        int(found),
        float(best),
        int(opened),
        asked,
        hits,
        pairs,
        shown,
        tuple(opened_pages),
    )


def _add(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {
        name: one.get(name, 0) + other.get(name, 0)
        for name in sorted(one.keys() | other.keys())
    }


def _bound(counts: dict[str, int]) -> dict[str, int]:
    """Of too many, those that count most."""
    most = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_ENGINES]
    return {name: counts[name] for name in sorted(most)}


def _first_pages(
    pages: dict[str, list[str]], opened: tuple[str, ...]
) -> dict[str, list[str]]:
    """As many as are kept: those that were opened, then the best; no URL longer than is sound."""
    fit = [url for url in pages if len(url) <= LONGEST_URL]
    first = sorted(fit, key=lambda url: url not in opened)[:MOST_PAGES]
    return {url: pages[url][:MOST_ENGINES] for url in first}


@contextmanager
def _connect(folder: Path, flags: int) -> Iterator[apsw.Connection]:
    connection = apsw.Connection(str(folder / FILE), flags=flags)
    try:
        connection.set_busy_timeout(_WAIT_MS)
        connection.transaction_mode = "IMMEDIATE"
        yield connection
    finally:
        connection.close()


def _make_private(path: Path) -> None:
    """What people look for concerns nobody but the owner of the folder."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
