"""Counting link texts in `store.sqlite`, inside a transaction that the caller has begun."""

from __future__ import annotations

from typing import Any, Final

import apsw

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch, LinkText
from trapline.stores.link_tallies import Tally, is_news
from trapline.stores.packed_texts import pack_texts, text_damage_shown, unpack_texts
from trapline.stores.text_counting import Refusals, count_texts

TALLY: Final = "SELECT changes, entries FROM link_texts WHERE page = ?"


def read_ranking(row: tuple[Any, ...]) -> list[LinkText]:
    """What others call a page, by the row of its tally."""
    with text_damage_shown():
        return _tally_of(row).ranking()


def write_texts(
    connection: apsw.Connection, batch: Batch, refusals: Refusals
) -> list[int]:
    """Count what a batch says; returns the pages of which the index is to hear."""
    tallies = SqliteTallies(connection)
    with text_damage_shown():
        count_texts(batch, tallies, refusals)
    return tallies.save()


def _tally_of(row: tuple[Any, ...]) -> Tally:
    changes, entries = row
    return Tally(changes, entries.decode())


class SqliteTallies:
    """The tallies that one batch touches."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._tallies: dict[int, Tally] = {}
        self._changes_before: dict[int, int] = {}

    def host(self, page: int) -> int:
        sql = "SELECT host FROM urls WHERE page = ?"
        return int(self._connection.execute(sql, (page,)).get)

    def tally(self, target: int) -> Tally:
        found = self._tallies.get(target)
        if found is None:
            rows = self._connection.execute(TALLY, (target,)).fetchall()
            found = _tally_of(rows[0]) if rows else Tally()
            self._tallies[target] = found
            self._changes_before[target] = found.changes
        return found

    def contribution(self, page: int) -> LinkTexts:
        sql = "SELECT texts FROM link_sources WHERE page = ?"
        blob = self._connection.execute(sql, (page,)).get
        return () if blob is None else unpack_texts(blob)

    def write(self, page: int, counted: LinkTexts) -> None:
        if counted:
            row = (page, pack_texts(counted))
            self._connection.execute("REPLACE INTO link_sources VALUES (?, ?)", row)
        else:
            sql = "DELETE FROM link_sources WHERE page = ?"
            self._connection.execute(sql, (page,))

    def save(self) -> list[int]:
        """Write what has changed; returns the targets of which the index is to hear."""
        changed = [
            (target, before)
            for target, before in self._changes_before.items()
            if self._tallies[target].changes > before
        ]
        self._connection.executemany(
            "REPLACE INTO link_texts VALUES (?, ?, ?)",
            (self._row(target) for target, _ in changed),
        )
        return [
            target
            for target, before in changed
            if is_news(before, self._tallies[target].changes)
        ]

    def _row(self, target: int) -> tuple[int, int, bytes]:
        tally = self._tallies[target]
        return target, tally.changes, tally.entries.encode()
