"""Writing what is held: documents with their bodies, texts of before, links."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Final

from trapline.core.records import Page
from trapline.core.storage import Batch
from trapline.stores.compression import pack
from trapline.stores.link_blobs import pack_links
from trapline.stores.past_texts import PastText, add_past, texts_replaced
from trapline.stores.postgres import rows
from trapline.stores.postgres.statements import Row, Statements, readable

ON_PAGE: Final = "ON CONFLICT (shard, page) DO UPDATE SET"
_DOCUMENT: Final = (
    *("revision", "held", "relevance", "fingerprint", "etag", "last_modified"),
    *("fetched_s", "changed_s", "language", "simhash", "same_as", "fields", "rules"),
)
_KINDS: Final = (
    "bigint bigint boolean float8 bigint text text float8 float8 text bigint bigint text"
    " bigint"
)
_UPDATES: Final = ", ".join(f"{name} = excluded.{name}" for name in _DOCUMENT)
_GONE: Final = (False, 0.0, 0, "", "", 0.0, 0.0, "", 0, -1, "", 0)
_SEEN: Final = (
    "UPDATE @documents AS d SET fetched_s = s.fetched_s FROM"
    " unnest(%b::bigint[], %b::float8[]) AS s (page, fetched_s)"
    " WHERE d.shard = %s AND d.page = s.page AND d.held"
)
_COPIES: Final = (
    "UPDATE @documents AS d SET same_as = s.same_as, revision = s.revision FROM"
    " unnest(%b::bigint[], %b::bigint[], %b::bigint[]) AS s (page, same_as, revision)"
    " WHERE d.shard = %s AND d.page = s.page AND d.held"
)
_KEEP_PAST: Final = (
    "ON CONFLICT (shard, page, number) DO UPDATE SET at_s = excluded.at_s,"
    " title = excluded.title, fingerprint = excluded.fingerprint, body = excluded.body"
)


class DocumentWriter:
    """Of one batch."""

    def __init__(self, statements: Statements, revision: int) -> None:
        self._statements = statements
        self._revisions = count(revision + 1)
        self.revision = revision  # the last one given

    def write(self, batch: Batch) -> None:
        bodies = list(map(_body_row, batch.pages))
        self._statements.insert(
            "@bodies (shard, page, title, body, form)",
            "bigint text bytea bytea",
            bodies,
            f"{ON_PAGE} title = excluded.title, body = excluded.body,"
            " form = excluded.form",
        )
        self._replace([(p.page, self._next(), True, *_facts(p)) for p in batch.pages])
        self._update(_SEEN, batch.seen)
        self._write_gone(batch)
        self._update(_COPIES, [(*pair, self._next()) for pair in batch.same])
        self._statements.insert(
            "@links (shard, page, links)",
            "bigint bytea",
            [(page, pack_links(links)) for page, links in batch.links],
            f"{ON_PAGE} links = excluded.links",
        )

    def _write_gone(self, batch: Batch) -> None:
        self._statements.delete("@bodies", batch.gone)
        self._statements.delete("@links", batch.gone)
        self._replace([(page, self._next(), *_GONE) for page in batch.gone])

    def _replace(self, documents: Sequence[Row]) -> None:
        self._statements.insert(
            f"@documents (shard, page, {', '.join(_DOCUMENT)})",
            _KINDS,
            documents,
            f"{ON_PAGE} {_UPDATES}",
        )

    def _update(self, text: str, values: Sequence[Row]) -> None:
        if values:
            columns = map(list, zip(*values, strict=True))
            self._statements.do(text, *columns, self._statements.shard)

    def _next(self) -> int:
        self.revision = next(self._revisions)
        return self.revision


def write_versions(statements: Statements, batch: Batch, *, kept: bool) -> None:
    """Keep the texts that a batch is about to replace; drop those that are to be forgotten.

    `kept`: there are some.
    """
    if batch.versions:
        for page, replaced in texts_replaced(batch, _held_text(statements)):
            _add_past(statements, page, replaced, batch.versions)
    elif kept:
        statements.delete("@versions", [p.page for p in batch.pages] + batch.gone)
    statements.delete("@versions", batch.forgotten)
    statements.delete("@last_changes", batch.forgotten)


def _held_text(statements: Statements) -> Any:
    def text_of(page: int) -> PastText | None:
        row = statements.ask(rows.HELD_TEXT, statements.shard, page).fetchone()
        return rows.past_text_of_row((0, *row)) if row else None

    return text_of


def _add_past(
    statements: Statements, page: int, replaced: list[PastText], most: int
) -> None:
    found = statements.ask(rows.PAST, statements.shard, page).fetchall()
    before = [rows.past_text_of_row(row) for row in found]
    after = add_past(before, replaced, most)
    statements.do(
        "DELETE FROM @versions WHERE shard = %s AND page = %s AND number < %s",
        statements.shard,
        page,
        after[0].number,
    )
    new = [
        (
            page,
            past.number,
            past.at_s,
            readable(past.title),
            past.fingerprint,
            past.packed,
        )
        for past in after
        if past not in before
    ]
    columns = "shard, page, number, at_s, title, fingerprint, body"
    kinds = "bigint int float8 text bigint bytea"
    statements.insert(f"@versions ({columns})", kinds, new, _KEEP_PAST)


def _body_row(page: Page) -> Row:
    form = pack(page.form) if page.form else None
    return page.page, readable(page.title), pack(page.text.encode()), form


def _facts(page: Page) -> Row:
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
