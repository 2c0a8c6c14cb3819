"""Reading: the SQL that knows columns, and records made of rows."""

from __future__ import annotations

from typing import Any, Final

from trapline.core.records import Diff, Page, Robots, Turn
from trapline.core.storage import Change, ChangedLines, Counts, Held, HostRow
from trapline.stores.compression import unpack
from trapline.stores.sqlite.schema import (
    DIFFS_SINCE,
    FIELDS_SINCE,
    FORMS_SINCE,
    RULES_SINCE,
    VERSIONS_SINCE,
)

Row = tuple[Any, ...]

HOSTS: Final = "SELECT host, name, home FROM hosts ORDER BY host"
ONE_HOST: Final = "SELECT host, name, home FROM hosts WHERE host = ?"
_ROBOTS: Final = "SELECT robots_text, robots_until_s, {rules} FROM hosts WHERE host = ?"
PAGES_BY_HOST: Final = (
    "SELECT u.host, count(*), ifnull(sum(d.held), 0) FROM urls u "
    "LEFT JOIN documents d USING (page) GROUP BY u.host"
)
COUNTS: Final = "SELECT hosts, known, held, visits, revision FROM totals"
_HELD: Final = (
    "SELECT etag, last_modified, fingerprint, changed_s, relevance, {fields} FROM documents "
    "WHERE page = ? AND held"
)
_CHANGES: Final = (
    "SELECT d.revision, d.page, d.held, u.url, b.title, b.text, d.relevance, d.fingerprint,"
    " d.etag, d.last_modified, d.fetched_s, d.changed_s, {traits}, {form}, {fields}"
    " FROM documents d JOIN urls u USING (page) LEFT JOIN bodies b USING (page)"
)
SIMHASHES: Final = (
    "SELECT page, simhash, same_as FROM documents WHERE page >= ? AND held AND "
    "simhash != 0 ORDER BY page LIMIT ?"
)
_DIFFS: Final = (
    "SELECT number, page, at_s, turn, added, removed, {remark} FROM diffs"
    " WHERE number > ? ORDER BY number LIMIT ?"
)
FAILING: Final = (
    "SELECT page, remark FROM diffs WHERE turn = 'failing' AND number IN"
    " (SELECT max(number) FROM diffs WHERE turn IN ('failing', 'back') GROUP BY page)"
)
VISITS: Final = (
    "SELECT number, page, host, kind, issued_s, ended_s, price, outcome, status, "
    "changed, relevance, remark FROM visits"
)


def changes_sql(version: int) -> str:
    """Documents as a store of this version has them: perhaps no robot has upgraded it yet."""
    has_traits = version >= DIFFS_SINCE
    traits = "d.language, d.simhash, d.same_as" if has_traits else "'', 0, -1"
    form = "b.form" if version >= FORMS_SINCE else "NULL"
    fields = _fields("d.", version)
    return _CHANGES.format(form=form, traits=traits, fields=fields)


def held_sql(version: int) -> str:
    """What is held, as a store of this version has it."""
    return _HELD.format(fields=_fields("", version))


def _fields(table: str, version: int) -> str:
    return f"{table}fields, {table}rules" if version >= FIELDS_SINCE else "'', 0"


def diffs_sql(version: int) -> str:
    """What became of documents, as a store of this version has it."""
    return _DIFFS.format(remark="remark" if version >= VERSIONS_SINCE else "''")


def robots_sql(version: int) -> str:
    """robots.txt as a store of this version has it."""
    return _ROBOTS.format(rules="robots_rules" if version >= RULES_SINCE else "NULL")


def counts_of_row(row: Row) -> Counts:
    return Counts(*row)


def host_of_row(row: Row) -> HostRow:
    return HostRow(*row)


def robots_of_row(row: Row) -> Robots | None:
    text, until_s, rules = row
    if isinstance(text, bytes):  # else a store before version 5 wrote it
        text = unpack(text).decode()
    return None if until_s is None else Robots(text, until_s, rules)


def held_of_row(row: Row) -> Held:
    return Held(*row)


def change_of_row(row: Row) -> Change:
    revision, page, held, url, title, body, *rest = row
    if not held:
        return Change(revision, page, None)
    text = unpack(body).decode()
    *traits, form, fields, rules = rest
    unpacked = unpack(form) if form is not None else b""
    values = [*traits, unpacked, fields, rules]
    return Change(revision, page, Page(page, url, title, text, *values))


def diff_of_row(row: Row) -> tuple[int, Diff]:
    number, page, at_s, turn, added, removed, remark = row
    return number, Diff(page, at_s, Turn(turn), added, removed, remark=remark)


def lines_of_row(row: Row) -> ChangedLines:
    at_s, lines = row
    return ChangedLines(at_s, unpack(lines).decode())
