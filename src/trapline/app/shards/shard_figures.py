"""What the shards of a crawl say of themselves, and their sums."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from trapline.core.ledger import Ledger, ShardRow, WorkerRow


@dataclass(frozen=True, slots=True)
class ShardFigures:
    shard: int
    owner: str  # "" = nobody runs it now
    epoch: int
    rate_per_s: float | None  # None = as many as manners allow
    market_price: float
    visits: int
    held: int
    fringe: int
    gone: int
    hosts: int
    idle: bool
    letters: int  # that wait for it
    mail_lag_s: float  # how long the oldest has waited
    reported_ago_s: float | None  # None = it has never been run
    held_back: str


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """Of all shards together, and of each."""

    rows: list[ShardFigures]
    workers: list[WorkerRow]

    @property
    def visits(self) -> int:
        return sum(row.visits for row in self.rows)

    @property
    def held(self) -> int:
        return sum(row.held for row in self.rows)

    @property
    def fringe(self) -> int:
        return sum(row.fringe for row in self.rows)

    @property
    def gone(self) -> int:
        return sum(row.gone for row in self.rows)

    @property
    def letters(self) -> int:
        return sum(row.letters for row in self.rows)

    @property
    def owned(self) -> int:
        return sum(bool(row.owner) for row in self.rows)

    @property
    def is_idle(self) -> bool:
        """Nothing is left to do anywhere, and nothing is on its way."""
        return not self.letters and all(row.idle for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        return {
            "visits": self.visits,
            "pages_held": self.held,
            "fringe": self.fringe,
            "gone": self.gone,
            "letters": self.letters,
            "shards": [asdict(row) for row in self.rows],
            "workers": [asdict(worker) for worker in self.workers],
        }


def figures_of_shards(ledger: Ledger) -> CrawlFigures:
    return CrawlFigures([_figures(row) for row in ledger.shards()], ledger.workers())


def _figures(row: ShardRow) -> ShardFigures:
    said = json.loads(row.report) if row.report else {}
    owned = row.left_s > 0.0 and bool(row.owner)
    ago_s = row.reported_ago_s
    return ShardFigures(
        row.shard,
        row.owner if owned else "",
        row.epoch,
        row.rate_per_s if math.isfinite(row.rate_per_s) else None,
        float(said.get("market_price", 0.0)),
        int(said.get("visits", 0)),
        int(said.get("held", 0)),
        int(said.get("fringe", 0)),
        int(said.get("gone", 0)),
        int(said.get("hosts", 0)),
        owned and bool(said.get("idle", False)),
        row.letters,
        row.oldest_letter_s,
        ago_s if math.isfinite(ago_s) else None,
        str(said.get("held_back", "")),
    )
