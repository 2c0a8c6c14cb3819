"""What the ledger says of all robots together."""

from __future__ import annotations

import json

import pytest

from trapline.app.shards.shard_figures import CrawlFigures, _figures
from trapline.core.ledger import ShardRow


def row(epoch: int, owner: str, left_s: float, reported_ago_s: float = 1.0) -> ShardRow:
    report = json.dumps({"visits": 3, "checkpoint_age_s": 5.0})
    rates = (2.0, 2.0)
    return ShardRow(0, epoch, owner, left_s, *rates, report, reported_ago_s, 0, 0.0)


@pytest.mark.parametrize(
    ("rows", "state"),
    [
        ([row(0, "", 0.0)], "never ran"),
        ([row(2, "", 0.0), row(0, "", 0.0)], "ended"),
        ([row(2, "a", 9.0), row(1, "", 0.0)], "at work"),
        ([row(2, "a", 9.0), row(1, "b", -3.0)], "at work"),
        ([row(2, "a", -1.0), row(1, "", 0.0)], "died"),
        ([row(2, "a", 9.0, 99.0)], "silent"),
        ([row(2, "a", 9.0, 99.0), row(2, "b", 9.0)], "at work"),
    ],
)
def test_the_state_of_a_crawl_is_that_of_its_leases(
    rows: list[ShardRow], state: str
) -> None:
    assert CrawlFigures([_figures(one) for one in rows], []).state == state


def test_a_checkpoint_grows_older_after_it_was_told() -> None:
    found = _figures(row(1, "a", 9.0, 2.0))
    assert found.checkpoint_age_s == 7.0
    never = ShardRow(0, 0, "", 0.0, 2.0, 2.0, "", float("inf"), 0, 0.0)
    assert _figures(never).checkpoint_age_s is None
