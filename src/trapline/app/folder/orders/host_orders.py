"""One host of a folder: what is known of it, and what the robot shall do there."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trapline.app.folder.host_rows import hosts_named, open_for_reading
from trapline.app.folder.host_troubles import HostTroubles
from trapline.app.folder.orders.order_file import (
    BLOCK,
    PAUSE,
    RESUME,
    SHARE,
    UNBLOCK,
    give_order,
    orders_in_force,
)
from trapline.app.folder.reach_figures import hosts_shut
from trapline.core.errors import BadNumber, UserMistake
from trapline.core.records import Robots
from trapline.core.storage import HostPages, HostRow, Store
from trapline.politeness.rules import rules_of


@dataclass(frozen=True, slots=True)
class HostWishes:
    """The words of the command line."""

    pause: bool = False
    resume: bool = False
    block: bool = False
    share: str | None = None


@dataclass(frozen=True, slots=True)
class HostFacts:
    host: str
    pages_known: int
    pages_held: int
    robots: str
    paused: bool
    blocked: bool
    forgotten: bool
    share: float
    out_of_reach: str = ""  # why it can never be visited, as things are
    state: str = "visited"  # or what keeps us from it

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        share = "" if self.share == 1.0 else f", at most {self.share:.3g} of the visits"
        return (
            f"{self.host}: {self.pages_held:,} of {self.pages_known:,} pages held; "
            f"robots.txt: {self.robots}; "
            f"{self.state}{share}"
        )


def share_of(text: str) -> float:
    """Read a share.

    >>> share_of("5%"), share_of("0.05")
    (0.05, 0.05)
    """
    match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(%?)\s*", text)
    share = float(match[1]) / (100.0 if match[2] else 1.0) if match else math.nan
    if not 0.0 < share <= 1.0:
        raise BadNumber(
            "the share", repr(text), "above 0 % and at most 100 %, like 5% or 0.05"
        )
    return share


def order_host(folder: Path, host: str, wishes: HostWishes) -> list[HostFacts]:
    """Give the orders that are wished for; returns what is known of the host then.

    A name without port means all its ports.
    """
    if wishes.resume and (wishes.pause or wishes.block):
        raise UserMistake("either --resume, or --pause or --block: not both")
    orders = list(_orders(wishes))
    store = open_for_reading(folder)
    try:
        with store.one_moment():
            rows = hosts_named(store, host, folder)
            for row in rows:
                for order, share in orders:
                    give_order(folder, order, row.name, share)
            return _facts(folder, store, rows)
    finally:
        store.close()


def _orders(wishes: HostWishes) -> Iterator[tuple[str, float]]:
    """(order, share) in the order in which they are given."""
    if wishes.pause:
        yield PAUSE, 1.0
    if wishes.block:
        yield BLOCK, 1.0
    if wishes.resume:
        yield RESUME, 1.0
        yield UNBLOCK, 1.0
    if wishes.share is not None:
        yield SHARE, share_of(wishes.share)


def _facts(folder: Path, store: Store, rows: list[HostRow]) -> list[HostFacts]:
    in_force = orders_in_force(folder)
    pages = store.pages_by_host()
    shut = hosts_shut(store)
    troubles = HostTroubles(in_force, store)
    robots = {row.host: store.robots(row.host) for row in rows}
    return [
        HostFacts(
            row.name,
            *pages.get(row.host, HostPages(0, 0)),
            _describe_robots(robots[row.host]),
            row.name in in_force.paused,
            row.name in in_force.blocked,
            row.name in in_force.forgotten,
            in_force.shares.get(row.name, 1.0),
            shut.get(row.name, ""),
            troubles.of(row) or ("visited" if robots[row.host] else "not visited yet"),
        )
        for row in rows
    ]


def _describe_robots(robots: Robots | None) -> str:
    if robots is None:
        return "not asked for yet"
    if robots.text is None:
        return "could not be had, so nothing is visited"
    delay_s = rules_of(robots).crawl_delay_s
    rules = "has rules" if robots.text.strip() else "has no rules"
    return rules if delay_s is None else f"{rules}, Crawl-delay {delay_s:g} s"
