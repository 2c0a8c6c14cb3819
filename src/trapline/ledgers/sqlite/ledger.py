"""The ledger of a crawl in shards on one machine: `ledger.sqlite` in its folder."""

from __future__ import annotations

import math
from typing import Any, Final

import apsw

from trapline.core.errors import ShardsFixed
from trapline.core.ledger import Founding, ShardRow
from trapline.ledgers.sqlite.doubling import Doubling
from trapline.ledgers.sqlite.homes import Homes
from trapline.ledgers.sqlite.letters import Letters
from trapline.ledgers.sqlite.market import Market
from trapline.ledgers.sqlite.owners import Owners
from trapline.ledgers.sqlite.words import Words

_FOUNDING: Final = "SELECT shards, settings, budget_per_s FROM founding"
_FOUND: Final = """
INSERT INTO founding VALUES (1, ?, ?, ?)
ON CONFLICT DO UPDATE SET settings = excluded.settings, budget_per_s = excluded.budget_per_s
"""
# Cuts only, or the sum could exceed the budget: raising is the treasurer's.
_CUT: Final = (
    "UPDATE shards SET rate = CASE WHEN ?1 = 9e999 THEN ?1 ELSE min(rate, ?1) END"
)
_SHARDS: Final = """
SELECT shard, epoch, owner, boot, until_s, rate, heard, report, reported_at_s,
    coalesce(waiting, 0), first_at_s
FROM shards LEFT JOIN (SELECT shard AS receiver, count(*) AS waiting,
    min(posted_at_s) AS first_at_s FROM letters GROUP BY shard) ON receiver = shard
ORDER BY shard
"""


class SqliteLedger(Owners, Doubling, Letters, Homes, Market, Words):
    """Used by several processes of one machine at once, each with a ledger of its own.

    Raises FolderMissing, FolderNewer, StoreCorrupt or FolderUnwritable when it is opened; StoreAway
    while another program has locked the file; Fenced by `exchange` and `move_host`.
    """

    def founding(self) -> Founding | None:
        rows = self._rows(_FOUNDING)
        return Founding(*rows[0]) if rows else None

    def establish(self, founding: Founding) -> None:
        wanted = (founding.shards, founding.settings, founding.budget_per_s)
        with self._writing() as connection:
            made = connection.execute(_FOUNDING).fetchone()
            if made is not None and made[0] != founding.shards:
                raise ShardsFixed(str(self._folder), made[0], founding.shards)
            connection.execute(_FOUND, wanted)
            if made is None:
                _divide(connection, founding)
            elif made[2] != founding.budget_per_s:
                connection.execute(_CUT, (founding.budget_per_s / founding.shards,))

    def clock_off_s(self) -> float:
        """0: the ledger has the clock of this machine."""
        return 0.0

    def shards(self) -> list[ShardRow]:
        return [self._shard(*row) for row in self._rows(_SHARDS)]

    def _shard(self, shard: int, epoch: int, owner: str, *rest: Any) -> ShardRow:
        boot, until_s, rate, heard, report, reported_at_s, waiting, first_at_s = rest
        return ShardRow(
            shard=shard,
            epoch=epoch,
            owner=owner,
            left_s=self._left_s(boot, until_s) if owner else 0.0,
            rate_per_s=rate,
            heard_per_s=heard,
            report=report,
            reported_ago_s=self._ago_s(reported_at_s, math.inf),
            letters=waiting,
            oldest_letter_s=self._ago_s(first_at_s, 0.0),
        )

    def _ago_s(self, at_s: float | None, never: float) -> float:
        return never if at_s is None else max(self._clock.wall_s() - at_s, 0.0)


def _divide(connection: apsw.Connection, founding: Founding) -> None:
    """The budget in equal parts, until there are bids."""
    share = founding.budget_per_s / founding.shards
    rows = [(shard, share, share) for shard in range(founding.shards)]
    sql = "INSERT INTO shards (shard, rate, heard) VALUES (?, ?, ?)"
    connection.executemany(sql, rows)
