"""Writing: a batch as rows, a statement a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from trapline.core.records import Kind, Turn, Visit
from trapline.core.storage import Batch
from trapline.stores.batch_check import check_numbering
from trapline.stores.compression import pack
from trapline.stores.postgres.document_writes import (
    ON_PAGE,
    DocumentWriter,
    write_versions,
)
from trapline.stores.postgres.known_before import KnownBefore, Totals
from trapline.stores.postgres.statements import Row, Statements, readable
from trapline.stores.text_counting import Refusals
from trapline.stores.visit_rows import visit_row

_VISIT: Final = (
    "number, page, host, kind, issued_s, ended_s, price, outcome, status, changed,"
    " relevance, remark"
)
_VISIT_KINDS: Final = (
    "bigint bigint int smallint float8 float8 float8 smallint int boolean float8 text"
)
_ROBOTS: Final = (
    "UPDATE @hosts AS h SET robots_text = r.text, robots_until_s = r.until_s,"
    " robots_rules = r.rules FROM"
    " unnest(%b::int[], %b::bytea[], %b::float8[], %b::bytea[])"
    " AS r (host, text, until_s, rules) WHERE h.shard = %s AND h.host = r.host"
)
_POST: Final = (
    "INSERT INTO @mail (shard, sender, body) SELECT p.receiver, %s, p.body FROM"
    " unnest(%b::int[], %b::bytea[]) AS p (receiver, body)"
)
_STRIKE: Final = "DELETE FROM @mail WHERE shard = %s AND number = ANY(%b::bigint[])"
# Pages that others call by other texts than before, as far as they are held, get new revisions.
_COUNT: Final = """
WITH heard AS (
    SELECT d.page, row_number() OVER (ORDER BY h.place) AS place
    FROM unnest(%b::bigint[]) WITH ORDINALITY AS h (page, place)
    JOIN @documents AS d ON d.shard = %s AND d.page = h.page AND d.held),
told AS (
    UPDATE @documents AS d SET revision = %s + h.place FROM heard AS h
    WHERE d.shard = %s AND d.page = h.page RETURNING 1)
UPDATE @totals SET hosts = hosts + %s, known = known + %s, held = held + %s,
    visits = visits + %s, revision = %s + (SELECT count(*) FROM told), diffs = diffs + %s,
    batch = %s
WHERE shard = %s
"""


class BatchWriter:
    def __init__(
        self, statements: Statements, known: KnownBefore, totals: Totals
    ) -> None:
        self._statements = statements
        self._known = known
        self._totals = totals

    def write(self, batch: Batch, refusals: Refusals, stamp: str) -> None:
        """Every line of it; ValueError or UnknownPage if it contradicts the store."""
        totals = self._totals
        check_numbering(batch, totals.hosts, totals.known)
        self._write_names(batch)
        self._write_robots(batch)
        write_versions(self._statements, batch, kept=totals.has_versions)
        documents = DocumentWriter(self._statements, totals.revision)
        documents.write(batch)
        news = self._known.tallies.count(batch, refusals)
        written = {page.page for page in batch.pages}
        heard = [page for page in news if page not in written]
        self._write_visits(batch.visits)
        self._write_diffs(batch)
        self._write_calls(batch)
        self._write_mail(batch)
        self._write_notes(batch)
        self._count(batch, documents.revision, heard, stamp)

    def _count(self, batch: Batch, revision: int, heard: list[int], stamp: str) -> None:
        pages = {page.page for page in batch.pages}
        gained = len(pages.difference(batch.gone)) - self._known.held()
        visits = sum(visit.kind == Kind.PAGE for visit in batch.visits)
        shard = self._statements.shard
        grown = (len(batch.hosts), len(batch.urls), gained, visits, revision)
        found = (heard, shard, revision, shard, *grown, len(batch.diffs))
        self._statements.do(_COUNT, *found, stamp, shard)

    def _write_names(self, batch: Batch) -> None:
        hosts = [
            (row.host, readable(row.name), readable(row.home)) for row in batch.hosts
        ]
        insert = self._statements.insert
        insert("@hosts (shard, host, name, home)", "int text text", hosts)
        urls = [(row.page, readable(row.url), row.host) for row in batch.urls]
        insert("@urls (shard, page, url, host)", "bigint text int", urls)

    def _write_robots(self, batch: Batch) -> None:
        if not batch.robots:
            return
        known = self._totals.hosts + len(batch.hosts)
        last = {}
        for host, robots in batch.robots:
            if not 0 <= host < known:
                raise ValueError(f"robots.txt of an unknown host: {host}")
            text = None if robots.text is None else pack(robots.text.encode())
            last[host] = (host, text, robots.until_s, robots.rules)
        columns = map(list, zip(*last.values(), strict=True))
        self._statements.do(_ROBOTS, *columns, self._statements.shard)

    def _write_visits(self, visits: Sequence[Visit]) -> None:
        rows = map(visit_row, visits)
        found = [(*facts, readable(remark)) for *facts, remark in rows]
        self._statements.insert(f"@visits (shard, {_VISIT})", _VISIT_KINDS, found)

    def _write_diffs(self, batch: Batch) -> None:
        numbered = enumerate(batch.diffs, self._totals.diffs + 1)
        self._statements.insert(
            "@diffs (shard, number, page, at_s, turn, added, removed, remark)",
            "bigint bigint float8 text int int text",
            [
                (n, d.page, d.at_s, str(d.turn), d.added, d.removed, readable(d.remark))
                for n, d in numbered
            ],
        )
        self._write_lines(batch)

    def _write_lines(self, batch: Batch) -> None:
        """Of each page those of its last change."""
        last: dict[int, Row | None] = {}
        for diff in batch.diffs:
            if diff.lines:
                lines = pack(diff.lines.encode("utf-8", "replace"))
                last[diff.page] = (diff.page, diff.at_s, lines)
            elif diff.turn in (Turn.CHANGED, Turn.GONE):
                last[diff.page] = None
        dropped = [page for page, row in last.items() if row is None]
        self._statements.delete("@last_changes", dropped)
        self._statements.insert(
            "@last_changes (shard, page, at_s, lines)",
            "bigint float8 bytea",
            [row for row in last.values() if row is not None],
            f"{ON_PAGE} at_s = excluded.at_s, lines = excluded.lines",
        )

    def _write_calls(self, batch: Batch) -> None:
        """One packed row for each run of numbers: a flush has one."""
        if not batch.calls:
            return
        numbers = [call.number for call in batch.calls]
        first = numbers[0]
        if numbers != list(range(first, first + len(numbers))):
            raise ValueError(f"calls that are not numbered in order: {numbers[:10]}")
        if first <= self._totals.calls:
            raise ValueError(f"a call number is given twice: {first}")
        body = pack(json.dumps([call.body for call in batch.calls]).encode())
        table = "@calls (shard, first, last, body)"
        row = (first, numbers[-1], body)
        self._statements.insert(table, "bigint bigint bytea", [row])

    def _write_mail(self, batch: Batch) -> None:
        shard = self._statements.shard
        if batch.postings:
            columns = map(list, zip(*batch.postings, strict=True))
            self._statements.do(_POST, shard, *columns)
        if batch.read:
            self._statements.do(_STRIKE, shard, batch.read)

    def _write_notes(self, batch: Batch) -> None:
        notes = [(readable(key), readable(value)) for key, value in batch.notes.items()]
        self._statements.insert(
            "@notes (shard, key, value)",
            "text text",
            notes,
            "ON CONFLICT (shard, key) DO UPDATE SET value = excluded.value",
        )
