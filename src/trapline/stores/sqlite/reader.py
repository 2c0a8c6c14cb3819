"""Everything that is read of `store.sqlite`, for a robot at work and for others beside it.

Long readings go chunk by chunk and hold neither lock nor snapshot in between, so that a slow
consumer never blocks anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from threading import Lock
from typing import Any, Final

import apsw

from trapline.core.errors import UnknownPage
from trapline.core.links import Links
from trapline.core.records import Diff, Outcome, Page, Robots, Visit
from trapline.core.storage import (
    Call,
    Change,
    ChangedLines,
    Counts,
    Held,
    HostPages,
    HostRow,
    LinkText,
    UrlRow,
    Version,
)
from trapline.stores.checkpoint_files import CheckpointFiles
from trapline.stores.link_blobs import unpack_links
from trapline.stores.past_texts import PastText, find_text, list_versions
from trapline.stores.sqlite import rows
from trapline.stores.sqlite.file import damage_named
from trapline.stores.sqlite.schema import (
    DIFFS_SINCE,
    FORMS_SINCE,
    LINKS_SINCE,
    TEXTS_SINCE,
    VERSION,
    VERSIONS_SINCE,
)
from trapline.stores.sqlite.tallies import TALLY, read_ranking
from trapline.stores.sqlite.versions import (
    HELD_TEXT,
    LAST_PAST,
    PAST_ALIKE,
    PAST_BRIEF,
    held_text_of_row,
    past_text_of_row,
)
from trapline.stores.visit_rows import visit_of_row

_CHUNK: Final = 4096  # rows read at once
_DOCUMENTS: Final = 256  # documents read at once: they carry their text, or their links


class SqliteReader:
    """One connection, behind a lock of its own; `SqliteStore` opens and closes it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "store.sqlite"
        self._files = CheckpointFiles(folder)
        self._reading = Lock()
        self._reader: apsw.Connection | None = None
        self._known_version = 0

    def counts(self) -> Counts:
        return rows.counts_of_row(self._rows(rows.COUNTS)[0])

    def hosts(self) -> list[HostRow]:
        return [rows.host_of_row(row) for row in self._rows(rows.HOSTS)]

    def host(self, host: int) -> HostRow:
        found = self._rows(rows.ONE_HOST, host)
        if not found:
            raise UnknownPage(host, self.counts().hosts)
        return rows.host_of_row(found[0])

    def pages_by_host(self) -> dict[int, HostPages]:
        found = self._rows(rows.PAGES_BY_HOST)
        return {host: HostPages(known, held) for host, known, held in found}

    def robots(self, host: int) -> Robots | None:
        found = self._rows(rows.robots_sql(self._version()), host)
        return rows.robots_of_row(found[0]) if found else None

    def url(self, page: int) -> str:
        found = self._rows("SELECT url FROM urls WHERE page = ?", page)
        if not found:
            raise UnknownPage(page, self.counts().known)
        return str(found[0][0])

    def number_of(self, url: str) -> int | None:
        # without an index, which would be as large as the table: SQLite reads it fast enough
        found = self._rows("SELECT page FROM urls WHERE url = ? LIMIT 1", url)
        return int(found[0][0]) if found else None

    def urls(self, first: int = 0) -> Iterator[UrlRow]:
        while chunk := self._rows(
            "SELECT page, url, host FROM urls WHERE page >= ? ORDER BY page LIMIT ?",
            first,
            _CHUNK,
        ):
            yield from starmap(UrlRow, chunk)
            first = chunk[-1][0] + 1

    def held(self, page: int) -> Held | None:
        found = self._rows(rows.held_sql(self._version()), page)
        return rows.held_of_row(found[0]) if found else None

    def count_relevant(self, least: float) -> int:
        sql = "SELECT count(*) FROM documents WHERE held AND relevance >= ?"
        return int(self._rows(sql, least)[0][0])

    def page(self, page: int) -> Page | None:
        found = self._rows(f"{self._changes_sql()} WHERE d.page = ?", page)
        return self._change(found[0]).document if found else None

    def changes(self, after: int = 0) -> Iterator[Change]:
        # what comes later is for the next reading, else it might never end
        newest = self.counts().revision
        sql = (
            f"{self._changes_sql()} WHERE d.revision > ? AND d.revision <= ?"
            " ORDER BY d.revision LIMIT ?"
        )
        while chunk := self._rows(sql, after, newest, _DOCUMENTS):
            yield from map(self._change, chunk)
            after = chunk[-1][0]

    def links(self, first: int = 0) -> Iterator[tuple[int, Links]]:
        if self._version() < LINKS_SINCE:  # no robot has opened the folder since
            return
        while chunk := self._rows(
            "SELECT page, links FROM links WHERE page >= ? ORDER BY page LIMIT ?",
            first,
            _DOCUMENTS,
        ):
            for page, blob in chunk:
                with damage_named(self._path):
                    links = unpack_links(blob)
                yield page, links
            first = chunk[-1][0] + 1

    def link_texts(self, page: int) -> list[LinkText]:
        if self._version() < TEXTS_SINCE:
            return []
        found = self._rows(TALLY, page)
        with damage_named(self._path):
            return read_ranking(found[0]) if found else []

    def diffs(self, after: int = 0) -> Iterator[tuple[int, Diff]]:
        if self._version() < DIFFS_SINCE:
            return
        sql = rows.diffs_sql(self._version())
        while chunk := self._rows(sql, after, _CHUNK):
            yield from map(rows.diff_of_row, chunk)
            after = chunk[-1][0]

    def changed_lines(self, page: int) -> ChangedLines | None:
        if self._version() < FORMS_SINCE:
            return None
        found = self._rows("SELECT at_s, lines FROM last_changes WHERE page = ?", page)
        if not found:
            return None
        with damage_named(self._path):
            return rows.lines_of_row(found[0])

    def versions(self, page: int) -> list[Version]:
        found = self._rows(HELD_TEXT, page)
        held = held_text_of_row(found[0]) if found else None
        return list_versions(self._past(PAST_BRIEF, page), held)

    def version_text(self, page: int, number: int) -> str | None:
        alike = self._past(PAST_ALIKE, page, number)
        with damage_named(self._path):
            text = find_text(alike, number)
        if text is not None or number != self._last_past(page) + 1:
            return text
        held = self.page(page)
        return None if held is None else held.text

    def _past(self, sql: str, *values: int) -> list[PastText]:
        if self._version() < VERSIONS_SINCE:
            return []
        return [past_text_of_row(row) for row in self._rows(sql, *values)]

    def _last_past(self, page: int) -> int:
        if self._version() < VERSIONS_SINCE:
            return 0
        return int(self._rows(LAST_PAST, page)[0][0])

    def failing(self) -> dict[int, str]:
        if self._version() < VERSIONS_SINCE:
            return {}
        return {int(page): remark for page, remark in self._rows(rows.FAILING)}

    def newest_diff(self) -> int:
        if self._version() < DIFFS_SINCE:
            return 0
        return int(self._rows("SELECT ifnull(max(number), 0) FROM diffs")[0][0])

    def simhashes(self) -> Iterator[tuple[int, int, int]]:
        if self._version() < DIFFS_SINCE:
            return
        first = 0
        while chunk := self._rows(rows.SIMHASHES, first, _CHUNK):
            yield from ((page, simhash, same_as) for page, simhash, same_as in chunk)
            first = chunk[-1][0] + 1

    def copies(self, page: int) -> list[int]:
        if self._version() < DIFFS_SINCE:
            return []
        found = self._rows(
            "SELECT page FROM documents WHERE same_as = ? AND same_as >= 0 AND held ORDER BY page",
            page,
        )
        return [int(copy) for (copy,) in found]

    def visits(self, page: int | None = None, last: int = 100) -> list[Visit]:
        newest = "ORDER BY number DESC LIMIT ?"
        if page is None:
            found = self._rows(f"{rows.VISITS} {newest}", last)
        else:
            found = self._rows(f"{rows.VISITS} WHERE page = ? {newest}", page, last)
        return [visit_of_row(row) for row in found]

    def first_visit(self, page: int) -> Visit | None:
        first = "WHERE page = ? AND outcome = ? ORDER BY number LIMIT 1"
        found = self._rows(f"{rows.VISITS} {first}", page, Outcome.OK.value)
        return visit_of_row(found[0]) if found else None

    def history(self, after: int = -1) -> Iterator[Visit]:
        while chunk := self._rows(
            f"{rows.VISITS} WHERE number > ? ORDER BY number LIMIT ?", after, _CHUNK
        ):
            yield from map(visit_of_row, chunk)
            after = chunk[-1][0]

    def note(self, key: str) -> str | None:
        found = self._rows("SELECT value FROM notes WHERE key = ?", key)
        return str(found[0][0]) if found else None

    def calls(self, after: int) -> Iterator[Call]:
        while chunk := self._rows(
            "SELECT number, body FROM calls WHERE number > ? ORDER BY number LIMIT ?",
            after,
            _CHUNK,
        ):
            yield from starmap(Call, chunk)
            after = chunk[-1][0]

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._reading, damage_named(self._path):
            if self._reader is None:
                raise ValueError("the store is closed")
            return self._reader.execute(sql, values).fetchall()

    def _version(self) -> int:
        """Of the store as it is now: a robot may upgrade it while others read. Never back."""
        if self._known_version < VERSION:
            self._known_version = int(self._rows("PRAGMA user_version")[0][0])
        return self._known_version

    def _changes_sql(self) -> str:
        return rows.changes_sql(self._version())

    def _change(self, row: rows.Row) -> Change:
        with damage_named(self._path):
            return rows.change_of_row(row)
