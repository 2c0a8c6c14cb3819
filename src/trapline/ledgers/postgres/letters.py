"""Letters between shards, in PostgreSQL: stores post and read them in their own transactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trapline.core.ledger import Letter, Posting
from trapline.ledgers.postgres.desk import Desk

_LETTERS: Final = """
SELECT number, sender, body FROM @mail WHERE shard = %s ORDER BY number LIMIT %s
"""


class Letters(Desk):
    def letters(self, shard: int, most: int) -> list[Letter]:
        rows = self._rows(_LETTERS, (shard, max(most, 0)))
        return [Letter(number, sender, bytes(body)) for number, sender, body in rows]

    def exchange(
        self,
        shard: int,
        epoch: int,
        posted: Sequence[tuple[int, Posting]],
        read: Sequence[int],
    ) -> None:
        """Nothing: the store has done it."""
