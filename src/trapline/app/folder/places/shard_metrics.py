"""What Prometheus is told of each shard of a crawl."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric

from trapline.app.shards.shard_figures import CrawlFigures, ShardFigures

_Value = Callable[[ShardFigures], float | None]
# (name, meaning, value of a shard; None = there is none now)
_OF_SHARDS: Final[tuple[tuple[str, str, _Value], ...]] = (
    ("shard_owned", "1 while a worker runs the shard.", lambda row: bool(row.owner)),
    ("shard_epoch", "Owners that the shard has had.", lambda row: row.epoch),
    ("shard_rate", "Visits a second granted.", lambda row: row.rate_per_s),
    (
        "shard_market_price",
        "Price that the shard lately paid.",
        lambda row: row.market_price or None,
    ),
    ("shard_visits", "Page visits that the shard has made.", lambda row: row.visits),
    ("shard_pages_held", "Documents that the shard holds.", lambda row: row.held),
    (
        "shard_pages_fringe",
        "Pages that it has found and never fetched.",
        lambda row: row.fringe,
    ),
    (
        "shard_letters",
        "Letters of links that wait for the shard.",
        lambda row: row.letters,
    ),
    (
        "shard_mail_lag_seconds",
        "How long the oldest has waited.",
        lambda row: row.mail_lag_s,
    ),
    (
        "shard_checkpoint_age_seconds",
        "Since its state was last saved as a whole.",
        lambda row: row.checkpoint_age_s,
    ),
)


def shard_metrics(figures: CrawlFigures) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "trapline_workers", "Workers that run shards.", value=len(figures.workers)
    )
    for name, meaning, value_of in _OF_SHARDS:
        gauge = GaugeMetricFamily(f"trapline_{name}", meaning, labels=("shard",))
        for row in figures.rows:
            value = value_of(row)
            if value is not None:
                gauge.add_metric((str(row.shard),), float(value))
        yield gauge
