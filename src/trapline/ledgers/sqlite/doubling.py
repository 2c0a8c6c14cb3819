"""Doubling the shards of a crawl at rest, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import apsw

from trapline.core.ledger import MovedHost
from trapline.ledgers.sqlite.desk import Desk

_OWNED: Final = (
    "SELECT count(*) FROM shards WHERE owner = ? AND boot = ? AND until_s > ?"
)
_HALVE: Final = (
    "UPDATE shards SET rate = rate / 2, heard = heard / 2 WHERE rate < 9e999"
)
_ADD: Final = (
    "INSERT INTO shards (shard, rate, heard) SELECT shard + ?, rate, heard FROM shards"
)


class Doubling(Desk):
    def double(
        self, worker: str, homes: Mapping[str, int], moved: Sequence[MovedHost]
    ) -> bool:
        with self._writing() as connection:
            [(shards,)] = connection.execute("SELECT shards FROM founding")
            owned = connection.execute(_OWNED, (worker, *self._ends(0.0))).fetchone()
            if owned != (shards,):
                return False
            connection.execute(_HALVE)
            connection.execute(_ADD, (shards,))
            connection.execute("UPDATE founding SET shards = 2 * shards")
            connection.execute("DELETE FROM bids")
            _settle(connection, homes, moved)
            return True


def _settle(
    connection: apsw.Connection, homes: Mapping[str, int], moved: Sequence[MovedHost]
) -> None:
    connection.executemany(
        "UPDATE homes SET shard = ? WHERE address = ?",
        [(shard, address) for address, shard in homes.items()],
    )
    connection.execute("DELETE FROM moved_hosts")
    connection.executemany("INSERT INTO moved_hosts VALUES (?, ?, ?, ?)", moved)
