"""Letters between shards, in SQLite: each store keeps what it posted and read until it is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import apsw

from trapline.core.ledger import Letter, Posting
from trapline.ledgers.sqlite.desk import Desk, check_epoch

_POST: Final = (
    "INSERT INTO letters (shard, sender, posted_at_s, body) VALUES (?, ?, ?, ?)"
)
_POSTED: Final = (
    "INSERT INTO posted VALUES (?, ?) "
    "ON CONFLICT DO UPDATE SET number = excluded.number"
)


class Letters(Desk):
    def letters(self, shard: int, most: int) -> list[Letter]:
        sql = (
            "SELECT number, sender, body FROM letters WHERE shard = ? "
            "ORDER BY number LIMIT ?"
        )
        return [Letter(*row) for row in self._rows(sql, (shard, max(most, 0)))]

    def exchange(
        self,
        shard: int,
        epoch: int,
        posted: Sequence[tuple[int, Posting]],
        read: Sequence[int],
    ) -> None:
        if not (posted or read):
            return
        with self._writing() as connection:
            check_epoch(connection, shard, epoch)
            self._deliver(connection, shard, posted)
            connection.executemany(
                "DELETE FROM letters WHERE shard = ? AND number = ?",
                [(shard, number) for number in read],
            )

    def _deliver(
        self,
        connection: apsw.Connection,
        sender: int,
        posted: Sequence[tuple[int, Posting]],
    ) -> None:
        """Those that are not here yet: a sender's numbers only grow."""
        known = _last_posted(connection, sender)
        new = [(number, posting) for number, posting in posted if number > known]
        if not new:
            return
        at_s = self._clock.wall_s()
        rows = [(one.receiver, sender, at_s, one.body) for _, one in new]
        connection.executemany(_POST, rows)
        connection.execute(_POSTED, (sender, max(number for number, _ in new)))


def _last_posted(connection: apsw.Connection, sender: int) -> int:
    sql = "SELECT number FROM posted WHERE sender = ?"
    row = connection.execute(sql, (sender,)).fetchone()
    return 0 if row is None else int(row[0])
