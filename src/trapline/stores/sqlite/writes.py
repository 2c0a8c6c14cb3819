"""Writing: a batch as rows, inside a transaction that the caller has begun."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Final

import apsw

from trapline.core.records import Kind, Page, Turn
from trapline.core.storage import Batch
from trapline.stores.batch_check import check_numbering
from trapline.stores.compression import pack
from trapline.stores.link_blobs import pack_links
from trapline.stores.sqlite.rows import COUNTS, Row, counts_of_row
from trapline.stores.sqlite.tallies import write_texts
from trapline.stores.sqlite.versions import write_versions
from trapline.stores.text_counting import Refusals
from trapline.stores.visit_rows import visit_row

_INSERT_DIFF: Final = (
    "INSERT INTO diffs (page, at_s, turn, added, removed, remark)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_INSERT_NOTE: Final = (
    "INSERT INTO notes (key, value) VALUES (?, ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_ADD_TO_TOTALS: Final = (
    "UPDATE totals SET hosts = hosts + ?, known = known + ?, held = held + ?,"
    " visits = visits + ?, revision = revision + ?"
)
_UPDATE_ROBOTS: Final = (
    "UPDATE hosts SET robots_text = ?, robots_until_s = ?, robots_rules = ?"
    " WHERE host = ?"
)
_REPLACE_DOCUMENT: Final = (
    "REPLACE INTO documents VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_REPLACE_GONE: Final = (
    "REPLACE INTO documents VALUES (?, ?, 0, 0, 0, '', '', 0, 0, '', 0, -1, '', 0)"
)
_UPDATE_SEEN: Final = "UPDATE documents SET fetched_s = ? WHERE page = ? AND held"
_UPDATE_COPY: Final = (
    "UPDATE documents SET same_as = ?, revision = ? WHERE page = ? AND held"
)
_UPDATE_REVISION: Final = "UPDATE documents SET revision = ? WHERE page = ? AND held"
_COUNT_HELD: Final = (
    "SELECT count(*) FROM documents"
    " WHERE held AND page IN (SELECT value FROM json_each(?))"
)
_INSERT_VISIT: Final = "INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def write_batch(connection: apsw.Connection, batch: Batch, refusals: Refusals) -> None:
    """Every line of a batch; ValueError or UnknownPage if it contradicts the store."""
    before = counts_of_row(connection.execute(COUNTS).fetchall()[0])
    check_numbering(batch, before.hosts, before.known)
    _write_names(connection, batch)
    _write_robots(connection, batch)
    write_versions(connection, batch)
    gained = _write_documents(connection, batch, before.revision)
    revisions = len(batch.pages) + len(batch.same) + len(batch.gone)
    revisions += _write_texts(connection, batch, before.revision + revisions, refusals)
    connection.executemany(_INSERT_VISIT, map(visit_row, batch.visits))
    _write_diffs(connection, batch)
    connection.executemany(
        "INSERT INTO calls VALUES (?, ?)",
        ((call.number, call.body) for call in batch.calls),
    )
    connection.executemany(
        "INSERT INTO outbox (receiver, body) VALUES (?, ?)", batch.postings
    )
    connection.executemany(
        "INSERT OR IGNORE INTO read_letters VALUES (?)", ((one,) for one in batch.read)
    )
    connection.executemany(_INSERT_NOTE, batch.notes.items())
    visits = sum(visit.kind == Kind.PAGE for visit in batch.visits)
    connection.execute(
        _ADD_TO_TOTALS,
        (len(batch.hosts), len(batch.urls), gained, visits, revisions),
    )


def _write_diffs(connection: apsw.Connection, batch: Batch) -> None:
    connection.executemany(
        _INSERT_DIFF,
        ((d.page, d.at_s, d.turn, d.added, d.removed, d.remark) for d in batch.diffs),
    )
    # a page that is new, as nearly all are in a first crawl, has no lines there
    for diff in batch.diffs:
        if diff.lines:
            lines = pack(diff.lines.encode("utf-8", "replace"))
            row = (diff.page, diff.at_s, lines)
            connection.execute("REPLACE INTO last_changes VALUES (?, ?, ?)", row)
        elif diff.turn in (Turn.CHANGED, Turn.GONE):
            connection.execute("DELETE FROM last_changes WHERE page = ?", (diff.page,))


def _write_names(connection: apsw.Connection, batch: Batch) -> None:
    connection.executemany(
        "INSERT INTO hosts (host, name, home) VALUES (?, ?, ?)",
        ((row.host, row.name, row.home) for row in batch.hosts),
    )
    connection.executemany(
        "INSERT INTO urls VALUES (?, ?, ?)",
        ((row.page, row.url, row.host) for row in batch.urls),
    )


def _write_robots(connection: apsw.Connection, batch: Batch) -> None:
    for host, robots in batch.robots:
        text = None if robots.text is None else pack(robots.text.encode())
        row = (text, robots.until_s, robots.rules, host)
        connection.execute(_UPDATE_ROBOTS, row)
        if not connection.changes():
            raise ValueError(f"robots.txt of an unknown host: {host}")


def _write_documents(connection: apsw.Connection, batch: Batch, revision: int) -> int:
    """Returns by how many the held pages have grown."""
    revisions = count(revision + 1)
    pages = {page.page for page in batch.pages}
    gone = set(batch.gone)
    gained = len(pages - gone) - _count_held(connection, pages | gone)
    connection.executemany(
        "REPLACE INTO bodies VALUES (?, ?, ?, ?)", map(_body_row, batch.pages)
    )
    connection.executemany(
        _REPLACE_DOCUMENT,
        (_document_row(page, next(revisions)) for page in batch.pages),
    )
    connection.executemany(
        _UPDATE_SEEN, ((fetched_s, page) for page, fetched_s in batch.seen)
    )
    _write_gone(connection, batch, revisions)
    connection.executemany(
        _UPDATE_COPY,
        ((same_as, next(revisions), page) for page, same_as in batch.same),
    )
    connection.executemany(
        "REPLACE INTO links VALUES (?, ?)",
        ((page, pack_links(links)) for page, links in batch.links),
    )
    return gained


def _write_texts(
    connection: apsw.Connection, batch: Batch, revision: int, refusals: Refusals
) -> int:
    """What pages call others; returns how many of those get a new revision for it."""
    written = {page.page for page in batch.pages}
    given = 0
    for page in write_texts(connection, batch, refusals):
        if page not in written:
            connection.execute(_UPDATE_REVISION, (revision + given + 1, page))
            given += connection.changes()
    return given


def _write_gone(
    connection: apsw.Connection, batch: Batch, revisions: Iterator[int]
) -> None:
    for page in batch.gone:
        connection.execute("DELETE FROM bodies WHERE page = ?", (page,))
        connection.execute("DELETE FROM links WHERE page = ?", (page,))
        connection.execute(_REPLACE_GONE, (page, next(revisions)))


def _count_held(connection: apsw.Connection, pages: set[int]) -> int:
    return int(connection.execute(_COUNT_HELD, (json.dumps(list(pages)),)).get)


def _body_row(page: Page) -> Row:
    form = pack(page.form) if page.form else None
    return page.page, page.title, pack(page.text.encode()), form


def _document_row(page: Page, revision: int) -> Row:
    return (
        page.page,
        revision,
        page.relevance,
        page.fingerprint,
        page.etag,
        page.last_modified,
        page.fetched_s,
        page.changed_s,
        page.language,
        page.simhash,
        page.same_as,
        page.fields,
        page.rules,
    )
