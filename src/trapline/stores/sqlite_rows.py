"""Records to rows and back: all SQL that knows a column."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Final

import apsw

from trapline.core.ports import Batch, Change, Counts, Held, HostRow
from trapline.core.records import Diff, Kind, Outcome, Page, Robots, Turn, Visit
from trapline.stores import link_blobs
from trapline.stores.batch_check import check_numbering
from trapline.stores.compression import pack, unpack
from trapline.stores.sqlite_file import DIFFS_SINCE

Row = tuple[Any, ...]

HOSTS: Final = (
    "SELECT host, name, home, robots_text, robots_until_s FROM hosts ORDER BY host"
)
COUNTS: Final = "SELECT hosts, known, held, visits, revision FROM totals"
HELD: Final = (
    "SELECT etag, last_modified, fingerprint, changed_s, relevance FROM documents "
    "WHERE page = ? AND held"
)
_CHANGES: Final = (
    "SELECT d.revision, d.page, d.held, u.url, b.title, b.text, d.relevance, d.fingerprint, "
    "d.etag, d.last_modified,"
    " d.fetched_s, d.changed_s, {traits} FROM documents d JOIN urls u USING (page) LEFT JOIN "
    "bodies b USING (page)"
)
SIMHASHES: Final = (
    "SELECT page, simhash, same_as FROM documents WHERE page >= ? AND held AND "
    "simhash != 0 ORDER BY page LIMIT ?"
)
DIFFS: Final = (
    "SELECT number, page, at_s, turn, added, removed FROM diffs WHERE number > ? "
    "ORDER BY number LIMIT ?"
)
VISITS: Final = (
    "SELECT number, page, host, kind, issued_s, ended_s, price, outcome, status, "
    "changed, relevance, remark FROM visits"
)


def changes_sql(version: int) -> str:
    """Documents as a store of this version keeps them: no robot may have opened the
    folder since.
    """
    known = (
        "d.language, d.simhash, d.same_as" if version >= DIFFS_SINCE else "'', 0, -1"
    )
    return _CHANGES.format(traits=known)


def counts_of_row(row: Row) -> Counts:
    return Counts(*row)


def host_of_row(row: Row) -> HostRow:
    host, name, home, text, until_s = row
    return HostRow(host, name, home, None if until_s is None else Robots(text, until_s))


def held_of_row(row: Row) -> Held:
    return Held(*row)


def change_of_row(row: Row) -> Change:
    revision, page, held, url, title, body, *rest = row
    document = Page(page, url, title, unpack(body).decode(), *rest) if held else None
    return Change(revision, page, document)


def diff_of_row(row: Row) -> tuple[int, Diff]:
    number, page, at_s, turn, added, removed = row
    return number, Diff(page, at_s, Turn(turn), added, removed)


def visit_of_row(row: Row) -> Visit:
    (
        number,
        page,
        host,
        kind,
        issued_s,
        ended_s,
        price,
        outcome,
        status,
        changed,
        relevance,
        remark,
    ) = row
    kind = Kind(kind)
    outcome = Outcome(outcome)
    changed = bool(changed)
    return Visit(
        number,
        page,
        host,
        kind,
        issued_s,
        ended_s,
        price,
        outcome,
        status,
        changed,
        relevance,
        remark,
    )


def write_batch(connection: apsw.Connection, batch: Batch) -> None:
    """Every line of a batch, inside a transaction that the caller has begun."""
    before = counts_of_row(connection.execute(COUNTS).fetchall()[0])
    check_numbering(batch, before.hosts, before.known)
    _write_names(connection, batch)
    gained = _write_documents(connection, batch, before.revision)
    _write_visits(connection, batch)
    connection.executemany(
        "INSERT INTO diffs (page, at_s, turn, added, removed) VALUES (?, ?, ?, ?, ?)",
        (
            (diff.page, diff.at_s, diff.turn, diff.added, diff.removed)
            for diff in batch.diffs
        ),
    )
    connection.executemany(
        "INSERT INTO calls VALUES (?, ?)",
        ((call.number, call.body) for call in batch.calls),
    )
    connection.executemany(
        "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = "
        "excluded.value",
        batch.notes.items(),
    )
    connection.execute(
        "UPDATE totals SET hosts = hosts + ?, known = known + ?, held = held + ?, visits = "
        "visits + ?,"
        " revision = revision + ?",
        (
            len(batch.hosts),
            len(batch.urls),
            gained,
            sum(visit.kind == Kind.PAGE for visit in batch.visits),
            len(batch.pages) + len(batch.same) + len(batch.gone),
        ),
    )


def _write_names(connection: apsw.Connection, batch: Batch) -> None:
    connection.executemany(
        "INSERT INTO hosts (host, name, home) VALUES (?, ?, ?)",
        ((row.host, row.name, row.home) for row in batch.hosts),
    )
    connection.executemany(
        "INSERT INTO urls VALUES (?, ?, ?)",
        ((row.page, row.url, row.host) for row in batch.urls),
    )
    robots = [
        (row.host, row.robots) for row in batch.hosts if row.robots is not None
    ] + batch.robots
    for host, said in robots:
        connection.execute(
            "UPDATE hosts SET robots_text = ?, robots_until_s = ? WHERE host = ?",
            (said.text, said.until_s, host),
        )
        if not connection.changes():
            raise ValueError(f"robots.txt of an unknown host: {host}")


def _write_documents(connection: apsw.Connection, batch: Batch, revision: int) -> int:
    """Returns by how many the held pages have grown."""
    revisions = count(revision + 1)
    kept = {page.page for page in batch.pages}
    gone = set(batch.gone)
    gained = len(kept - gone) - _held_among(connection, kept | gone)
    connection.executemany(
        "REPLACE INTO bodies VALUES (?, ?, ?)", map(_body_row, batch.pages)
    )
    connection.executemany(
        "REPLACE INTO documents VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                page.page,
                next(revisions),
                page.relevance,
                page.fingerprint,
                page.etag,
                page.last_modified,
                page.fetched_s,
                page.changed_s,
                page.language,
                page.simhash,
                page.same_as,
            )
            for page in batch.pages
        ),
    )
    connection.executemany(
        "UPDATE documents SET fetched_s = max(fetched_s, ?) WHERE page = ? AND held",
        ((fetched_s, page) for page, fetched_s in batch.seen),
    )
    for page in batch.gone:
        connection.execute("DELETE FROM bodies WHERE page = ?", (page,))
        connection.execute("DELETE FROM links WHERE page = ?", (page,))
        connection.execute(
            "REPLACE INTO documents VALUES (?, ?, 0, 0, 0, '', '', 0, 0, '', 0, -1)",
            (page, next(revisions)),
        )
    connection.executemany(
        "UPDATE documents SET same_as = ?, revision = ? WHERE page = ? AND held",
        ((same_as, next(revisions), page) for page, same_as in batch.same),
    )
    connection.executemany(
        "REPLACE INTO links VALUES (?, ?)",
        ((page, link_blobs.pack_links(links)) for page, links in batch.links),
    )
    return gained


def _held_among(connection: apsw.Connection, pages: set[int]) -> int:
    sql = "SELECT count(*) FROM documents WHERE held AND page IN (SELECT value FROM json_each(?))"
    return int(connection.execute(sql, (json.dumps(list(pages)),)).get)


def _body_row(page: Page) -> Row:
    return page.page, page.title, pack(page.text.encode())


def _write_visits(connection: apsw.Connection, batch: Batch) -> None:
    connection.executemany(
        "INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                v.number,
                v.page,
                v.host,
                int(v.kind),
                v.issued_s,
                v.ended_s,
                v.price,
                int(v.outcome),
                v.status,
                v.changed,
                v.relevance,
                v.remark,
            )
            for v in batch.visits
        ),
    )
