"""Looking at a crawl in shards while it runs: its ledger, as soon as there is one; its owners."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from tests.e2e.support.command import wait_until
from trapline.app.shards.crawl_place import place_named
from trapline.core.errors import CrawlMissing
from trapline.core.ledger import Ledger

LONG_S = 300.0  # workers start for minutes where all is busy


def await_ledger(place: str | Path, may_come: Callable[[], None]) -> Ledger:
    """`may_come` fails when it will never come."""
    found: list[Ledger] = []

    def is_there() -> bool:
        may_come()
        try:
            found.append(place_named(str(place)).open_ledger())
        except CrawlMissing:
            return False
        return True

    wait_until(is_there, LONG_S)
    return found[0]


def await_owners(ledger: Ledger, workers: int, without: str = "") -> None:
    """Until all shards are run by so many workers, and not by one that is gone."""

    def are_owned() -> bool:
        rows = ledger.shards()
        owners = {row.owner for row in rows if row.left_s > 0.0}
        all_owned = all(row.left_s > 0.0 for row in rows)
        return all_owned and len(owners) == workers and without not in owners

    wait_until(are_owned, LONG_S)


def kill_one(ledger: Ledger) -> str:
    victim = ledger.workers()[0].name
    kill_worker(victim)
    return victim


def kill_worker(name: str) -> None:
    """It is named by its machine and its process."""
    os.kill(int(name.split("-")[-2]), signal.SIGKILL)
