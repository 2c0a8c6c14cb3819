"""Orders: what people tell a robot about hosts and pages, one line each in the engine's folder.

A robot at work carries them out within seconds, the next one at its start. The last order on a host
or page is in force. A seed stays one; a visit is made once. What a language model suggests is a
seed, too, but only people can name hosts that may lie on private addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from trapline.app.folder.json_lines import JsonLines, JsonLinesFile
from trapline.app.folder.places.said_lines import add_lines, lines_until_now
from trapline.core.errors import BadUrl
from trapline.core.urls import canonical, host_of

KIND: Final = "orders"
FILE: Final = f"{KIND}.jsonl"
PAUSE: Final = "pause"
RESUME: Final = "resume"
BLOCK: Final = "block"
UNBLOCK: Final = "unblock"
SHARE: Final = "share"
FORGET: Final = "forget"
REMEMBER: Final = "remember"
SEED: Final = "seed"
SUGGEST: Final = "suggest"
VISIT: Final = "visit"
SEEDING: Final = (SEED, SUGGEST)
_OF_PAGES: Final = (*SEEDING, VISIT)
_ORDERS: Final = (PAUSE, RESUME, BLOCK, UNBLOCK, SHARE, FORGET, REMEMBER, *_OF_PAGES)


@dataclass(slots=True)
class OrdersInForce:
    """What all orders so far come to. Hosts are name:port."""

    paused: set[str] = field(default_factory=set)
    blocked: set[str] = field(default_factory=set)
    shares: dict[str, float] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)  # URLs, and hosts
    seeds: list[str] = field(default_factory=list)  # URLs
    seed_hosts: set[str] = field(default_factory=set)  # that people have named

    def add(self, order: str, target: str, share: float = 1.0) -> None:
        """
        >>> orders = OrdersInForce()
        >>> orders.add(PAUSE, "a.org:80")
        >>> orders.add(FORGET, "http://b.org/x")
        >>> orders.stopped("a.org:80"), orders.bars("http://b.org/x")
        (True, True)
        >>> orders.bars("http://b.org/y")
        False
        """
        if order in (PAUSE, BLOCK, FORGET):
            self._targets_of(order).add(target)
        elif order in (RESUME, UNBLOCK, REMEMBER):
            self._targets_of(order).discard(target)
        elif order in SEEDING:
            self.seeds.append(target)
            if order == SEED:
                self.seed_hosts.add(host_of(target))
        elif order == SHARE:
            self.shares[target] = share

    def stopped(self, host_name: str) -> bool:
        """Whether a host may not be visited."""
        return (
            host_name in self.paused
            or host_name in self.blocked
            or host_name in self.forgotten
        )

    def bars(self, url: str) -> bool:
        """Whether a page (or a host) is treated as if it were unknown."""
        if not (self.blocked or self.forgotten):
            return False
        host_name = host_of(url) if "/" in url else url
        return (
            url in self.forgotten
            or host_name in self.forgotten
            or host_name in self.blocked
        )

    def _targets_of(self, order: str) -> set[str]:
        return {
            PAUSE: self.paused,
            RESUME: self.paused,
            BLOCK: self.blocked,
            UNBLOCK: self.blocked,
            FORGET: self.forgotten,
            REMEMBER: self.forgotten,
        }[order]


def give_order(folder: Path, order: str, target: str, share: float = 1.0) -> None:
    add_lines(folder, KIND, [{"order": order, "target": target, "share": share}])


def give_orders(folder: Path, order: str, targets: Sequence[str]) -> None:
    """The same for several, at once."""
    lines = [{"order": order, "target": target, "share": 1.0} for target in targets]
    if lines:
        add_lines(folder, KIND, lines)


def orders_in_force(folder: Path) -> OrdersInForce:
    """What all orders in a folder come to by now."""
    orders = OrderFile(folder, lines_until_now(folder, KIND))
    orders.news()
    return orders.in_force


class OrderFile:
    """Hands out what people have ordered since the last call of `news`."""

    def __init__(self, folder: Path, lines: JsonLines | None = None) -> None:
        """`lines` in place of the folder's file."""
        self._lines = lines or JsonLinesFile(folder / FILE)
        self.in_force = OrdersInForce()
        self.count = 0  # orders handed out so far

    def news(self) -> list[tuple[str, str]]:
        """(order, target) of each new line that makes sense; `in_force` has them already."""
        lines = map(_parse_order, self._lines.news())
        orders = [order for order in lines if order is not None]
        for order in orders:
            self.in_force.add(order.name, order.target, order.share)
        self.count += len(orders)
        return [(order.name, order.target) for order in orders]


class _Order(NamedTuple):
    name: str
    target: str
    share: float


def _parse_order(line: dict[str, Any]) -> _Order | None:
    name = line.get("order")
    target = line.get("target")
    share = line.get("share", 1.0)
    if name not in _ORDERS or not isinstance(target, str):
        return None
    if not isinstance(share, int | float) or not 0.0 < share <= 1.0:
        return None
    if name in _OF_PAGES and not _is_canonical(target):
        return None
    return _Order(str(name), target, float(share))


def _is_canonical(url: str) -> bool:
    try:
        return canonical(url) == url
    except BadUrl:
        return False
