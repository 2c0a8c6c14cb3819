"""`demand.sqlite`: counts of queries, of pages shown and of pages opened, bounded in rows.

Several servers may write at once, and a kill loses at most what was not written yet. It is no part
of the store: a server opens that for reading only, and a robot may hold it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw

from trapline.app.demand.tally import Tally

FILE: Final = "demand.sqlite"
MOST_QUERIES: Final = 10_000
MOST_OPENED: Final = 50_000
_DAY_S: Final = 86_400.0
_WAIT_MS: Final = 20_000  # for another server that writes
MOST_WANTED: Final = 100_000  # pages on a day, each
WANTED_D: Final = (
    120  # days for which it is known what was shown and opened: four half-lives
)
_VERSION: Final = 2
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS asked (query TEXT PRIMARY KEY, times INTEGER NOT NULL,
    missed INTEGER NOT NULL, day INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS opened (page INTEGER NOT NULL, query TEXT NOT NULL,
    times INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY (page, query)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wanted (day INTEGER NOT NULL, page INTEGER NOT NULL,
    shown INTEGER NOT NULL, opened INTEGER NOT NULL, PRIMARY KEY (day, page)) WITHOUT ROWID;
PRAGMA user_version = {_VERSION}
"""
_ADD_ASKED: Final = """
INSERT INTO asked VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    times = times + excluded.times, missed = missed + excluded.missed, day = excluded.day
"""
_ADD_OPENED: Final = """
INSERT INTO opened VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    times = times + excluded.times, day = excluded.day
"""
_ADD_WANTED: Final = """
INSERT INTO wanted VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    shown = shown + excluded.shown, opened = opened + excluded.opened
"""
# the rarest go first, of those the oldest
_BOUND_ASKED: Final = """
DELETE FROM asked WHERE query IN (SELECT query FROM asked ORDER BY times DESC, day DESC, query
    LIMIT -1 OFFSET ?)
"""
_BOUND_OPENED: Final = """
DELETE FROM opened WHERE (page, query) IN (SELECT page, query FROM opened
    ORDER BY times DESC, day DESC, page, query LIMIT -1 OFFSET ?)
"""

# the oldest days go first, of those the pages that fewest wanted
_BOUND_WANTED: Final = """
DELETE FROM wanted WHERE (day, page) IN (SELECT day, page FROM wanted
    ORDER BY day DESC, opened DESC, shown DESC, page LIMIT -1 OFFSET ?)
"""


@dataclass(frozen=True, slots=True)
class AskedQuery:
    query: str
    times: int
    missed: int  # times that nothing was found
    day: int  # when it was last asked, in days since 1970


@dataclass(frozen=True, slots=True)
class OpenedPage:
    page: int
    times: int
    day: int


@dataclass(frozen=True, slots=True)
class Demand:
    """The most frequent of each kind first."""

    asked: list[AskedQuery]
    missed: list[AskedQuery]  # that found nothing
    opened: list[OpenedPage]


def day_now() -> int:
    """Days since 1970."""
    return int(time.time() // _DAY_S)


def add_demand(folder: Path, tally: Tally, day: int) -> None:
    """Add to what was counted; raises apsw.Error or OSError if it cannot be written."""
    _make_private(folder / FILE)
    with connect(folder, apsw.SQLITE_OPEN_READWRITE) as connection, connection:
        if connection.pragma("user_version") != _VERSION:
            connection.execute(_SCHEMA)
        asked = [
            (query, times, tally.missed[query], day)
            for query, times in tally.asked.items()
        ]
        connection.executemany(_ADD_ASKED, asked)
        opened = [
            (page, query, times, day) for (query, page), times in tally.opened.items()
        ]
        connection.executemany(_ADD_OPENED, opened)
        connection.executemany(_ADD_WANTED, _wanted_rows(tally, day))
        connection.execute("DELETE FROM wanted WHERE day < ?", (day - WANTED_D,))
        if _count(connection, "wanted") > MOST_WANTED:
            connection.execute(_BOUND_WANTED, (MOST_WANTED,))
        if _count(connection, "asked") > MOST_QUERIES:
            connection.execute(_BOUND_ASKED, (MOST_QUERIES,))
        if _count(connection, "opened") > MOST_OPENED:
            connection.execute(_BOUND_OPENED, (MOST_OPENED,))


def read_demand(folder: Path, most: int = 20) -> Demand:
    """What is asked for most; nothing where nothing was counted, or the file is damaged."""
    nothing = Demand([], [], [])
    if not (folder / FILE).exists():
        return nothing
    try:
        with connect(folder, apsw.SQLITE_OPEN_READONLY) as connection:
            return _read(connection, most)
    except apsw.Error:
        return nothing


def forget_demand(folder: Path, pages: Sequence[int]) -> None:
    """Pages are forgotten, and how often they were opened with them."""
    if not pages or not (folder / FILE).exists():
        return
    with (
        suppress(apsw.NotADBError, apsw.SQLError),  # nothing was ever counted
        connect(folder, apsw.SQLITE_OPEN_READWRITE) as connection,
        connection,
    ):
        rows = [(page,) for page in pages]
        connection.executemany("DELETE FROM opened WHERE page = ?", rows)
        connection.executemany("DELETE FROM wanted WHERE page = ?", rows)


def _read(connection: apsw.Connection, most: int) -> Demand:
    asked = "SELECT query, times, missed, day FROM asked"
    frequent = f"{asked} ORDER BY times DESC, day DESC, query LIMIT ?"
    missed = f"{asked} WHERE missed > 0 ORDER BY missed DESC, day DESC, query LIMIT ?"
    opened = (
        "SELECT page, sum(times) AS times, max(day) FROM opened GROUP BY page"
        " ORDER BY times DESC, page LIMIT ?"
    )
    return Demand(
        [AskedQuery(*row) for row in connection.execute(frequent, (most,))],
        [AskedQuery(*row) for row in connection.execute(missed, (most,))],
        [OpenedPage(*row) for row in connection.execute(opened, (most,))],
    )


def _wanted_rows(tally: Tally, day: int) -> list[tuple[int, int, int, int]]:
    opened: Counter[int] = Counter()
    for (_, page), times in tally.opened.items():
        opened[page] += times
    pages = sorted(tally.shown.keys() | opened.keys())
    return [(day, page, tally.shown[page], opened[page]) for page in pages]


def _count(connection: apsw.Connection, table: str) -> int:
    [(count,)] = connection.execute(f"SELECT count(*) FROM {table}")
    assert isinstance(count, int)
    return count


@contextmanager
def connect(folder: Path, flags: int) -> Iterator[apsw.Connection]:
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
