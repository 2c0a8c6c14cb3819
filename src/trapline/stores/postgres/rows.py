"""Reading: the SQL that knows columns, and records made of rows."""

from __future__ import annotations

from typing import Any, Final

from trapline.core.records import Diff, Page, Robots, Turn
from trapline.core.storage import Change, ChangedLines, Held
from trapline.stores.compression import unpack
from trapline.stores.past_texts import PastText

Row = tuple[Any, ...]

COUNTS: Final = (
    "SELECT hosts, known, held, visits, revision FROM @totals WHERE shard = %s"
)
HOSTS: Final = "SELECT host, name, home FROM @hosts WHERE shard = %s ORDER BY host"
ONE_HOST: Final = "SELECT host, name, home FROM @hosts WHERE shard = %s AND host = %s"
ROBOTS: Final = (
    "SELECT robots_text, robots_until_s, robots_rules FROM @hosts"
    " WHERE shard = %s AND host = %s"
)
PAGES_BY_HOST: Final = (
    "SELECT u.host, count(*), count(*) FILTER (WHERE d.held) FROM @urls u"
    " LEFT JOIN @documents d ON d.shard = u.shard AND d.page = u.page"
    " WHERE u.shard = %s GROUP BY u.host"
)
URLS: Final = (
    "SELECT page, url, host FROM @urls WHERE shard = %s AND page >= %s"
    " ORDER BY page LIMIT %s"
)
HELD: Final = (
    "SELECT etag, last_modified, fingerprint, changed_s, relevance, fields, rules"
    " FROM @documents WHERE shard = %s AND page = %s AND held"
)
CHANGES: Final = (
    "SELECT d.revision, d.page, d.held, u.url, b.title, b.body, d.relevance, d.fingerprint,"
    " d.etag, d.last_modified, d.fetched_s, d.changed_s, d.language, d.simhash, d.same_as,"
    " b.form, d.fields, d.rules FROM @documents d"
    " JOIN @urls u ON u.shard = d.shard AND u.page = d.page"
    " LEFT JOIN @bodies b ON b.shard = d.shard AND b.page = d.page WHERE d.shard = %s"
)
SIMHASHES: Final = (
    "SELECT page, simhash, same_as FROM @documents WHERE shard = %s AND page >= %s"
    " AND held AND simhash != 0 ORDER BY page LIMIT %s"
)
DIFFS: Final = (
    "SELECT number, page, at_s, turn, added, removed, remark FROM @diffs"
    " WHERE shard = %s AND number > %s ORDER BY number LIMIT %s"
)
FAILING: Final = (
    "SELECT page, remark FROM (SELECT DISTINCT ON (page) page, turn, remark FROM @diffs"
    " WHERE shard = %s AND turn IN ('failing', 'back') ORDER BY page, number DESC) AS d"
    " WHERE turn = 'failing'"
)
VISITS: Final = (
    "SELECT number, page, host, kind, issued_s, ended_s, price, outcome, status,"
    " changed, relevance, remark FROM @visits WHERE shard = %s"
)
PAST: Final = (
    "SELECT number, at_s, title, fingerprint, body FROM @versions"
    " WHERE shard = %s AND page = %s ORDER BY number"
)
HELD_TEXT: Final = (
    "SELECT d.changed_s, b.title, d.fingerprint, b.body FROM @documents d"
    " JOIN @bodies b ON b.shard = d.shard AND b.page = d.page"
    " WHERE d.shard = %s AND d.page = %s AND d.held"
)


def robots_of_row(row: Row) -> Robots | None:
    text, until_s, rules = row
    if until_s is None:
        return None
    said = None if text is None else unpack(bytes(text)).decode()
    return Robots(said, until_s, None if rules is None else bytes(rules))


def held_of_row(row: Row) -> Held:
    return Held(*row)


def change_of_row(row: Row) -> Change:
    revision, page, held, url, title, body, *rest = row
    if not held:
        return Change(revision, page, None)
    text = unpack(bytes(body)).decode()
    *traits, form, fields, rules = rest
    unpacked = unpack(bytes(form)) if form is not None else b""
    facts: Row = (page, url, title, text, *traits, unpacked, fields, rules)
    return Change(revision, page, Page(*facts))


def diff_of_row(row: Row) -> tuple[int, Diff]:
    number, page, at_s, turn, added, removed, remark = row
    return number, Diff(
        page,
        at_s,
        Turn(turn),
        added,
        removed,
        remark=remark,
    )


def lines_of_row(row: Row) -> ChangedLines:
    at_s, lines = row
    return ChangedLines(at_s, unpack(bytes(lines)).decode())


def past_text_of_row(row: Row) -> PastText:
    *first, body = row
    facts: Row = (*first, None if body is None else bytes(body))
    return PastText(*facts)
