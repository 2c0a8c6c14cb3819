"""Writing: a batch as rows, a statement a table, inside a transaction that the caller has begun."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from trapline.core.records import Kind, Page, Turn
from trapline.core.storage import Batch
from trapline.stores.batch_check import check_numbering
from trapline.stores.compression import pack
from trapline.stores.link_blobs import pack_links
from trapline.stores.past_texts import PastText, add_past, texts_replaced
from trapline.stores.postgres import rows
from trapline.stores.postgres.tallies import PostgresTallies
from trapline.stores.text_counting import Refusals

_ON_PAGE: Final = "ON CONFLICT (shard, page) DO UPDATE SET"
_DOCUMENT: Final = (
    *("revision", "held", "relevance", "fingerprint", "etag", "last_modified"),
    *("fetched_s", "changed_s", "language", "simhash", "same_as", "fields", "rules"),
)
_KINDS: Final = (
    "bigint bigint boolean float8 bigint text text float8 float8 text bigint bigint text"
    " bigint"
)
_VISIT_KINDS: Final = (
    "bigint bigint int smallint float8 float8 float8 smallint int boolean float8 text"
)
_GONE: Final = (False, 0.0, 0, "", "", 0.0, 0.0, "", 0, -1, "", 0)


class Totals(NamedTuple):
    """Of a shard, before a batch."""

    hosts: int
    known: int
    held: int
    visits: int
    revision: int
    diffs: int


def readable(text: str) -> str:
    """PostgreSQL has no texts with a zero in them."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


class BatchWriter:
    def __init__(
        self, cursor: Any, sql: Callable[[str], str], shard: int, totals: Totals
    ) -> None:
        self._cursor = cursor
        self._sql = sql
        self._shard = shard
        self._totals = totals
        self._revision = totals.revision

    def write(self, batch: Batch, refusals: Refusals, stamp: str) -> None:
        """Every line of it; ValueError or UnknownPage if it contradicts the store."""
        totals = self._totals
        check_numbering(batch, totals.hosts, totals.known)
        self._write_names(batch)
        self._write_robots(batch)
        self._write_versions(batch)
        gained = self._write_documents(batch)
        self._write_texts(batch, refusals)
        self._write_visits(batch)
        self._write_diffs(batch)
        self._write_calls(batch)
        self._write_mail(batch)
        self._write_notes(batch)
        visits = sum(visit.kind == Kind.PAGE for visit in batch.visits)
        self._do(
            "UPDATE @totals SET hosts = hosts + %s, known = known + %s, held = held + %s,"
            " visits = visits + %s, revision = %s, diffs = diffs + %s, batch = %s"
            " WHERE shard = %s",
            len(batch.hosts),
            len(batch.urls),
            gained,
            visits,
            self._revision,
            len(batch.diffs),
            stamp,
            self._shard,
        )

    def _write_names(self, batch: Batch) -> None:
        hosts = [
            (row.host, readable(row.name), readable(row.home)) for row in batch.hosts
        ]
        self._insert("@hosts (shard, host, name, home)", "int text text", hosts)
        urls = [(row.page, readable(row.url), row.host) for row in batch.urls]
        self._insert("@urls (shard, page, url, host)", "bigint text int", urls)

    def _write_robots(self, batch: Batch) -> None:
        for host, robots in batch.robots:
            text = None if robots.text is None else pack(robots.text.encode())
            self._do(
                "UPDATE @hosts SET robots_text = %s, robots_until_s = %s,"
                " robots_rules = %s WHERE shard = %s AND host = %s",
                text,
                robots.until_s,
                robots.rules,
                self._shard,
                host,
            )
            if not self._cursor.rowcount:
                raise ValueError(f"robots.txt of an unknown host: {host}")

    def _write_versions(self, batch: Batch) -> None:
        """Keep the texts that a batch is about to replace; drop those that are to be forgotten."""
        if batch.versions:
            for page, replaced in texts_replaced(batch, self._held_text):
                self._add_past(page, replaced, batch.versions)
        else:
            pages = [*(page.page for page in batch.pages), *batch.gone]
            self._delete("@versions", pages)
        self._delete("@versions", batch.forgotten)
        self._delete("@last_changes", batch.forgotten)

    def _held_text(self, page: int) -> PastText | None:
        found = self._ask(rows.HELD_TEXT, self._shard, page)
        return rows.past_text_of_row((0, *found[0])) if found else None

    def _add_past(self, page: int, replaced: list[PastText], most: int) -> None:
        found = self._ask(rows.PAST, self._shard, page)
        before = [rows.past_text_of_row(row) for row in found]
        after = add_past(before, replaced, most)
        self._do(
            "DELETE FROM @versions WHERE shard = %s AND page = %s AND number < %s",
            self._shard,
            page,
            after[0].number,
        )
        for past in after:
            if past not in before:
                self._do(
                    "INSERT INTO @versions VALUES (%s, %s, %s, %s, %s, %s, %s)"
                    " ON CONFLICT (shard, page, number) DO UPDATE SET"
                    " at_s = excluded.at_s, title = excluded.title,"
                    " fingerprint = excluded.fingerprint, body = excluded.body",
                    self._shard,
                    page,
                    past.number,
                    past.at_s,
                    readable(past.title),
                    past.fingerprint,
                    past.packed,
                )

    def _write_documents(self, batch: Batch) -> int:
        """Returns by how many the held pages have grown."""
        pages = {page.page for page in batch.pages}
        gone = set(batch.gone)
        gained = len(pages - gone) - self._count_held(pages | gone)
        bodies = list(map(_body_row, batch.pages))
        self._insert(
            "@bodies (shard, page, title, body, form)",
            "bigint text bytea bytea",
            bodies,
            f"{_ON_PAGE} title = excluded.title, body = excluded.body,"
            " form = excluded.form",
        )
        documents = [(p.page, self._next(), True, *_facts(p)) for p in batch.pages]
        self._replace_documents(documents)
        seen = list(batch.seen)
        if seen:
            self._do(
                "UPDATE @documents AS d SET fetched_s = s.fetched_s FROM"
                " unnest(%s::bigint[], %s::float8[]) AS s (page, fetched_s)"
                " WHERE d.shard = %s AND d.page = s.page AND d.held",
                *map(list, zip(*seen, strict=True)),
                self._shard,
            )
        self._write_gone(batch)
        self._write_copies(batch)
        links = [(page, pack_links(links)) for page, links in batch.links]
        self._insert(
            "@links (shard, page, links)",
            "bigint bytea",
            links,
            f"{_ON_PAGE} links = excluded.links",
        )
        return gained

    def _write_gone(self, batch: Batch) -> None:
        if batch.gone:
            self._delete("@bodies", batch.gone)
            self._delete("@links", batch.gone)
            gone = [(page, self._next(), *_GONE) for page in batch.gone]
            self._replace_documents(gone)

    def _write_copies(self, batch: Batch) -> None:
        if not batch.same:
            return
        numbered = [(page, same, self._next()) for page, same in batch.same]
        self._do(
            "UPDATE @documents AS d SET same_as = s.same_as, revision = s.revision FROM"
            " unnest(%s::bigint[], %s::bigint[], %s::bigint[])"
            " AS s (page, same_as, revision)"
            " WHERE d.shard = %s AND d.page = s.page AND d.held",
            *map(list, zip(*numbered, strict=True)),
            self._shard,
        )

    def _replace_documents(self, documents: Sequence[tuple[Any, ...]]) -> None:
        updates = ", ".join(f"{name} = excluded.{name}" for name in _DOCUMENT)
        self._insert(
            f"@documents (shard, page, {', '.join(_DOCUMENT)})",
            _KINDS,
            documents,
            f"{_ON_PAGE} {updates}",
        )

    def _write_texts(self, batch: Batch, refusals: Refusals) -> None:
        """What pages call others; those of whom the index is to hear get a new revision."""
        tallies = PostgresTallies(self._cursor, self._sql, self._shard)
        written = {page.page for page in batch.pages}
        for page in tallies.count(batch, refusals):
            if page in written:
                continue
            self._do(
                "UPDATE @documents SET revision = %s WHERE shard = %s AND page = %s"
                " AND held",
                self._revision + 1,
                self._shard,
                page,
            )
            self._revision += self._cursor.rowcount

    def _write_visits(self, batch: Batch) -> None:
        visits = [
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
                readable(v.remark),
            )
            for v in batch.visits
        ]
        columns = (
            "number, page, host, kind, issued_s, ended_s, price, outcome, status, changed,"
            " relevance, remark"
        )
        self._insert(f"@visits (shard, {columns})", _VISIT_KINDS, visits)

    def _write_diffs(self, batch: Batch) -> None:
        diffs = [
            (
                number,
                d.page,
                d.at_s,
                str(d.turn),
                d.added,
                d.removed,
                readable(d.remark),
            )
            for number, d in enumerate(batch.diffs, self._totals.diffs + 1)
        ]
        self._insert(
            "@diffs (shard, number, page, at_s, turn, added, removed, remark)",
            "bigint bigint float8 text int int text",
            diffs,
        )
        for diff in batch.diffs:
            if diff.lines or diff.turn in (Turn.CHANGED, Turn.GONE):
                self._delete("@last_changes", [diff.page])
            if diff.lines:
                lines = pack(diff.lines.encode("utf-8", "replace"))
                row = (diff.page, diff.at_s, lines)
                self._insert(
                    "@last_changes (shard, page, at_s, lines)",
                    "bigint float8 bytea",
                    [row],
                )

    def _write_calls(self, batch: Batch) -> None:
        """One packed row for each run of numbers: a flush has one."""
        if not batch.calls:
            return
        numbers = [call.number for call in batch.calls]
        first = numbers[0]
        if numbers != list(range(first, first + len(numbers))):
            raise ValueError(f"calls that are not numbered in order: {numbers[:10]}")
        last = self._ask("SELECT max(last) FROM @calls WHERE shard = %s", self._shard)[
            0
        ][0]
        if last is not None and first <= last:
            raise ValueError(f"a call number is given twice: {first}")
        body = pack(json.dumps([call.body for call in batch.calls]).encode())
        row = (first, numbers[-1], body)
        self._insert("@calls (shard, first, last, body)", "bigint bigint bytea", [row])

    def _write_mail(self, batch: Batch) -> None:
        if batch.postings:
            self._do(
                "INSERT INTO @mail (shard, sender, body)"
                " SELECT p.receiver, %s, p.body FROM"
                " unnest(%s::int[], %s::bytea[]) AS p (receiver, body)",
                self._shard,
                [posting.receiver for posting in batch.postings],
                [posting.body for posting in batch.postings],
            )
        if batch.read:
            self._do(
                "DELETE FROM @mail WHERE shard = %s AND number = ANY(%s::bigint[])",
                self._shard,
                list(batch.read),
            )

    def _write_notes(self, batch: Batch) -> None:
        notes = [(readable(key), readable(value)) for key, value in batch.notes.items()]
        self._insert(
            "@notes (shard, key, value)",
            "text text",
            notes,
            "ON CONFLICT (shard, key) DO UPDATE SET value = excluded.value",
        )

    def _insert(
        self,
        table: str,
        kinds: str,
        values: Sequence[tuple[Any, ...]],
        on_conflict: str = "",
    ) -> None:
        """All rows at once, column by column."""
        if not values:
            return
        columns = ", ".join(f"%s::{kind}[]" for kind in kinds.split())
        self._do(
            f"INSERT INTO {table} SELECT %s, * FROM unnest({columns}) {on_conflict}",
            self._shard,
            *map(list, zip(*values, strict=True)),
        )

    def _delete(self, table: str, pages: Iterable[int]) -> None:
        numbers = list(pages)
        if numbers:
            self._do(
                f"DELETE FROM {table} WHERE shard = %s AND page = ANY(%s::bigint[])",
                self._shard,
                numbers,
            )

    def _count_held(self, pages: set[int]) -> int:
        if not pages:
            return 0
        sql = (
            "SELECT count(*) FROM @documents WHERE shard = %s AND held"
            " AND page = ANY(%s::bigint[])"
        )
        return int(self._ask(sql, self._shard, list(pages))[0][0])

    def _next(self) -> int:
        self._revision += 1
        return self._revision

    def _do(self, text: str, *values: Any) -> None:
        self._cursor.execute(self._sql(text), values)

    def _ask(self, text: str, *values: Any) -> list[tuple[Any, ...]]:
        return list(self._cursor.execute(self._sql(text), values).fetchall())


def _body_row(page: Page) -> tuple[Any, ...]:
    form = pack(page.form) if page.form else None
    return page.page, readable(page.title), pack(page.text.encode()), form


def _facts(page: Page) -> tuple[Any, ...]:
    return (
        page.relevance,
        page.fingerprint,
        readable(page.etag),
        readable(page.last_modified),
        page.fetched_s,
        page.changed_s,
        readable(page.language),
        page.simhash,
        page.same_as,
        readable(page.fields),
        page.rules,
    )
