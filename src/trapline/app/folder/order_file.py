"""Orders: what people tell a robot about hosts and pages, one line each in the engine's folder.

A robot at work heeds them within seconds, the next one at its start; all of them together say how
things stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from trapline.app.folder.json_lines import JsonLinesFile, append_line
from trapline.core.urls import host_of

FILE: Final = "orders.jsonl"
PAUSE = "pause"
RESUME = "resume"
BLOCK = "block"
UNBLOCK = "unblock"
SHARE = "share"
FORGET = "forget"
REMEMBER = "remember"


@dataclass(slots=True)
class Standing:
    """What all orders so far come to. Hosts are name:port."""

    paused: set[str] = field(default_factory=set)
    blocked: set[str] = field(default_factory=set)
    shares: dict[str, float] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)  # URLs, and hosts

    def obey(self, order: str, target: str, share: float = 1.0) -> None:
        """


        >>> standing = Standing()
        >>> standing.obey(PAUSE, "a.org:80")
        >>> standing.obey(FORGET, "http://b.org/x")
        >>> standing.stopped("a.org:80"), standing.bars("http://b.org/x"), standing.bars("http://b.org/y")
        (True, True, False)
        """
        if order in (PAUSE, BLOCK, FORGET):
            self._named(order).add(target)
        elif order in (RESUME, UNBLOCK, REMEMBER):
            self._named(order).discard(target)
        else:
            self.shares[target] = share

    def stopped(self, host_name: str) -> bool:
        """Whether a host may not be visited."""
        return (
            host_name in self.paused
            or host_name in self.blocked
            or host_name in self.forgotten
        )

    def bars(self, url: str) -> bool:
        """Whether a page (or a host) is to be as if nobody had heard of it."""
        if not (self.blocked or self.forgotten):
            return False
        host_name = host_of(url) if "/" in url else url
        return (
            url in self.forgotten
            or host_name in self.forgotten
            or host_name in self.blocked
        )

    def _named(self, order: str) -> set[str]:
        return {
            PAUSE: self.paused,
            RESUME: self.paused,
            BLOCK: self.blocked,
            UNBLOCK: self.blocked,
            FORGET: self.forgotten,
            REMEMBER: self.forgotten,
        }[order]


def give_order(folder: Path, order: str, target: str, share: float = 1.0) -> None:
    append_line(folder / FILE, {"order": order, "target": target, "share": share})


class OrderFile:
    """What people have ordered since it was last looked at."""

    def __init__(self, folder: Path) -> None:
        self._lines = JsonLinesFile(folder / FILE)
        self.standing = Standing()

    def news(self) -> list[tuple[str, str]]:
        """(order, target) of each new line that makes sense; `standing` knows them already."""
        orders = [
            found for said in self._lines.news() if (found := _order(said)) is not None
        ]
        for order, target, share in orders:
            self.standing.obey(order, target, share)
        return [(order, target) for order, target, _ in orders]


def _order(said: dict[str, Any]) -> tuple[str, str, float] | None:
    order = said.get("order")
    target = said.get("target")
    share = said.get("share", 1.0)
    known = order in (PAUSE, RESUME, BLOCK, UNBLOCK, SHARE, FORGET, REMEMBER)
    if (
        not known
        or not isinstance(target, str)
        or not isinstance(share, int | float)
        or not 0.0 < share <= 1.0
    ):
        return None
    return str(order), target, float(share)
