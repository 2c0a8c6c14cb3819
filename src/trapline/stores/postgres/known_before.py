"""What must be known of a shard before a batch is written: asked for in one round trip."""

from __future__ import annotations

from typing import Final, NamedTuple

from trapline.core.errors import Fenced
from trapline.core.storage import Batch
from trapline.stores.postgres.statements import Statements
from trapline.stores.postgres.tallies import PostgresTallies

# Shared, so that owners do not wait for themselves; a new owner waits for the end of the commit.
FENCE: Final = "SELECT 1 FROM @shards WHERE shard = %s AND epoch = %s FOR SHARE"
# Locked: a batch that is tried again while the server still ends the first try waits for it.
_TOTALS: Final = (
    "SELECT hosts, known, held, visits, revision, diffs, coalesce("
    "(SELECT last FROM @calls AS c WHERE c.shard = t.shard ORDER BY first DESC LIMIT 1), 0),"
    " EXISTS (SELECT 1 FROM @versions AS v WHERE v.shard = t.shard), batch"
    " FROM @totals AS t WHERE shard = %s FOR UPDATE OF t"
)
_START: Final = "INSERT INTO @totals (shard) VALUES (%s) ON CONFLICT DO NOTHING"
_HELD: Final = "SELECT count(*) FILTER (WHERE held) FROM @documents"


class Totals(NamedTuple):
    """Of a shard, before a batch."""

    hosts: int
    known: int
    held: int
    visits: int
    revision: int
    diffs: int
    calls: int  # the last one that is kept
    has_versions: bool
    batch: str  # the mark of the last one


class KnownBefore:
    def __init__(self, statements: Statements, epoch: int, batch: Batch) -> None:
        self._statements = statements
        self._epoch = epoch
        self._fence = statements.ask(FENCE, statements.shard, epoch)
        self._totals = statements.ask(_TOTALS, statements.shard)
        held = {*(page.page for page in batch.pages), *batch.gone}
        self._held = statements.ask_of(_HELD, held) if held else None
        self.tallies = PostgresTallies(statements, batch)

    def totals(self) -> Totals:
        """Fenced: the shard has another owner."""
        if not self._fence.fetchone():
            raise Fenced(self._statements.shard, self._epoch)
        found = self._totals.fetchone()
        if found is None:
            self._statements.do(_START, self._statements.shard)
            found = self._statements.ask(_TOTALS, self._statements.shard).fetchone()
        return Totals(*found)

    def held(self) -> int:
        """How many of the pages that are written or go are held."""
        return 0 if self._held is None else int(self._held.fetchone()[0])
