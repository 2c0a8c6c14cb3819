"""Texts that pages had before, as rows: written in the transaction that replaces them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import apsw

from trapline.core.storage import Batch
from trapline.stores.past_texts import PastText, add_past, texts_replaced

PAST: Final = (
    "SELECT number, at_s, title, fingerprint, text FROM versions WHERE page = ?"
    " ORDER BY number"
)
# of one version, and of those with the same text: one of them has it
PAST_ALIKE: Final = (
    "SELECT number, at_s, title, fingerprint, text FROM versions WHERE page = ?1"
    " AND fingerprint IN (SELECT fingerprint FROM versions WHERE page = ?1 AND number = ?2)"
)
LAST_PAST: Final = "SELECT ifnull(max(number), 0) FROM versions WHERE page = ?"
PAST_BRIEF: Final = (
    "SELECT number, at_s, title, fingerprint, NULL FROM versions WHERE page = ?"
    " ORDER BY number"
)
HELD_TEXT: Final = (
    "SELECT d.changed_s, b.title, d.fingerprint, b.text FROM documents d"
    " JOIN bodies b USING (page) WHERE d.page = ? AND d.held"
)
_DROP: Final = "DELETE FROM versions WHERE page = ?"
_REPLACE: Final = (
    "REPLACE INTO versions (page, number, at_s, title, fingerprint, text)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)


def write_versions(connection: apsw.Connection, batch: Batch) -> None:
    """Keep the texts that a batch is about to replace; drop those that are to be forgotten."""
    if batch.versions:
        for page, replaced in texts_replaced(batch, _reader_of(connection)):
            _add(connection, page, replaced, batch.versions)
    else:  # a store that keeps none loses what it kept as pages change
        pages = [*(page.page for page in batch.pages), *batch.gone]
        connection.executemany(_DROP, ((page,) for page in pages))
    forgotten = [(page,) for page in batch.forgotten]
    connection.executemany(_DROP, forgotten)
    connection.executemany("DELETE FROM last_changes WHERE page = ?", forgotten)


def past_text_of_row(row: tuple[Any, ...]) -> PastText:
    return PastText(*row)


def held_text_of_row(row: tuple[Any, ...]) -> PastText:
    return PastText(0, *row)


def _reader_of(connection: apsw.Connection) -> Callable[[int], PastText | None]:
    def held(page: int) -> PastText | None:
        found = connection.execute(HELD_TEXT, (page,)).fetchall()
        return held_text_of_row(found[0]) if found else None

    return held


def _add(
    connection: apsw.Connection, page: int, replaced: list[PastText], most: int
) -> None:
    before = [past_text_of_row(row) for row in connection.execute(PAST, (page,))]
    after = add_past(before, replaced, most)
    connection.execute(
        "DELETE FROM versions WHERE page = ? AND number < ?", (page, after[0].number)
    )
    for past in after:
        if past not in before:
            row = (past.number, past.at_s, past.title, past.fingerprint, past.packed)
            connection.execute(_REPLACE, (page, *row))
