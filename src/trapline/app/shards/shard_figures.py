"""What the shards of a crawl say of themselves, and their sums."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from trapline.core.ledger import Ledger, ShardRow, WorkerRow
from trapline.policies.wording import say_span

SILENT_S: Final = 60.0  # without a word a robot at work is in trouble


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
    # since its state was last saved as a whole; None = it has never been run
    checkpoint_age_s: float | None = None
    lapsed: bool = False  # its owner let the lease end: it died, or is cut off


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
    def state(self) -> str:
        """Of all robots together: "at work", "silent", "died", "ended" or "never ran"."""
        owned = [row for row in self.rows if row.owner]
        if owned:
            said = [
                row.reported_ago_s for row in owned if row.reported_ago_s is not None
            ]
            return "silent" if said and min(said) > SILENT_S else "at work"
        if any(row.lapsed for row in self.rows):
            return "died"
        return "ended" if any(row.epoch for row in self.rows) else "never ran"

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


def sums_of(figures: CrawlFigures) -> dict[str, str]:
    """For people, what no single process can say."""
    rates = [row.rate_per_s for row in figures.rows if row.owner]
    known = [rate for rate in rates if rate is not None]
    lag_s = max((row.mail_lag_s for row in figures.rows if row.letters), default=0.0)
    waiting = f", the oldest for {say_span(lag_s)}" if figures.letters else ""
    return {
        "shards": f"{figures.owned:,} of {len(figures.rows):,} at work",
        "workers": f"{len(figures.workers):,}",
        "granted": f"{sum(known):.3g} visits a second" if known else "–",
        "letters": f"{figures.letters:,} waiting{waiting}",
    }


def figures_of_shards(ledger: Ledger) -> CrawlFigures:
    return CrawlFigures([_figures(row) for row in ledger.shards()], ledger.workers())


def figures_read(said: dict[str, Any]) -> CrawlFigures:
    """From what `asdict` makes of them."""
    rows = [ShardFigures(**row) for row in said["rows"]]
    return CrawlFigures(rows, [WorkerRow(**worker) for worker in said["workers"]])


def _figures(row: ShardRow) -> ShardFigures:
    said = json.loads(row.report) if row.report else {}
    owned = row.left_s > 0.0 and bool(row.owner)
    ago_s = row.reported_ago_s
    age_s = said.get("checkpoint_age_s")
    return ShardFigures(
        shard=row.shard,
        owner=row.owner if owned else "",
        epoch=row.epoch,
        rate_per_s=row.rate_per_s if math.isfinite(row.rate_per_s) else None,
        market_price=float(said.get("market_price", 0.0)),
        visits=int(said.get("visits", 0)),
        held=int(said.get("held", 0)),
        fringe=int(said.get("fringe", 0)),
        gone=int(said.get("gone", 0)),
        hosts=int(said.get("hosts", 0)),
        idle=owned and bool(said.get("idle", False)),
        letters=row.letters,
        mail_lag_s=row.oldest_letter_s,
        reported_ago_s=ago_s if math.isfinite(ago_s) else None,
        held_back=str(said.get("held_back", "")),
        checkpoint_age_s=None if age_s is None else age_s + ago_s,
        lapsed=bool(row.owner) and not owned,
    )
