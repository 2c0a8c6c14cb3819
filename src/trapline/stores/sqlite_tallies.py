"""Counting link texts in `store.sqlite`, inside a transaction that the caller has begun."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch
from trapline.stores.link_tallies import Tally, count_texts, is_news
from trapline.stores.tally_blobs import (
    TALLY,
    pack_counted,
    pack_tally,
    tally_of_row,
    unpack_counted,
)


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
            found = self._tallies[target] = self._load(target)
            self._changes_before[target] = found.changes
        return found

    def counted(self, page: int) -> LinkTexts:
        sql = "SELECT counted FROM link_sources WHERE page = ?"
        blob = self._connection.execute(sql, (page,)).get
        return () if blob is None else unpack_counted(blob)

    def write(self, page: int, counted: LinkTexts) -> None:
        if counted:
            row = (page, pack_counted(counted))
            self._connection.execute("REPLACE INTO link_sources VALUES (?, ?)", row)
        else:
            sql = "DELETE FROM link_sources WHERE page = ?"
            self._connection.execute(sql, (page,))

    def save(self) -> Iterator[int]:
        """Write what has changed; yields the targets of which the index is to hear."""
        for target, tally in self._tallies.items():
            if tally.dirty:
                row = (target, tally.changes, pack_tally(tally))
                self._connection.execute(
                    "REPLACE INTO link_texts VALUES (?, ?, ?)", row
                )
                if is_news(self._changes_before[target], tally.changes):
                    yield target

    def _load(self, target: int) -> Tally:
        found = self._connection.execute(TALLY, (target,)).fetchall()
        return tally_of_row(found[0]) if found else Tally()


def write_texts(connection: apsw.Connection, batch: Batch) -> list[int]:
    """Count what a batch says; returns the pages of which the index is to hear."""
    tallies = SqliteTallies(connection)
    count_texts(batch, tallies)
    return list(tallies.save())
