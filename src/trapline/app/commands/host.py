"""`trapline host` and `trapline forget`: one host of an engine, looked at or told what to do; pages
that leave.
"""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trapline.app.folder.order_file import (
    BLOCK,
    FORGET,
    PAUSE,
    REMEMBER,
    RESUME,
    SHARE,
    UNBLOCK,
    OrderFile,
    give_order,
)
from trapline.core.errors import (
    BadNumber,
    BadUrl,
    FolderBusy,
    FolderMissing,
    HostUnknown,
    UrlUnknown,
    UserMistake,
)
from trapline.core.ports import Batch, HostRow, Store, UrlRow
from trapline.core.urls import canonical, host_of
from trapline.politeness.robots_txt import Rules
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class HostWishes:
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

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        said = [
            word for word in ("paused", "blocked", "forgotten") if getattr(self, word)
        ]
        share = "" if self.share == 1.0 else f", at most {self.share:.3g} of the visits"
        return (
            f"{self.host}: {self.pages_held:,} of {self.pages_known:,} pages held; "
            f"robots.txt: {self.robots}; "
            f"{' and '.join(said) or 'visited'}{share}"
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
    """Give the orders that are wished for, and tell how things stand; a name without port means all
    its ports.
    """
    if wishes.resume and (wishes.pause or wishes.block):
        raise UserMistake("either --resume, or --pause or --block: not both")
    share = None if wishes.share is None else share_of(wishes.share)
    store = _look_into(folder)
    try:
        rows = _find_host(store.hosts(), host, folder)
        for row in rows:
            for order, wished in ((PAUSE, wishes.pause), (BLOCK, wishes.block)):
                if wished:
                    give_order(folder, order, row.name)
            for order in (RESUME, UNBLOCK) if wishes.resume else ():
                give_order(folder, order, row.name)
            if share is not None:
                give_order(folder, SHARE, row.name, share)
        return _facts(folder, store, rows)
    finally:
        store.close()


def forget(folder: Path, what: str, *, undo: bool) -> list[str]:
    """Drop a page, or a host with all its pages, and never visit it again; returns what was
    dropped.

    A robot at work does it within seconds; without one it is done here.
    """
    store = _look_into(folder)
    try:
        targets = _targets(store, what, folder)
    finally:
        store.close()
    for target in targets:
        give_order(folder, REMEMBER if undo else FORGET, target)
    if not undo:
        _drop(folder, targets)
    return targets


def _targets(store: Store, what: str, folder: Path) -> list[str]:
    if "/" not in what:
        return [row.name for row in _find_host(store.hosts(), what, folder)]
    url = canonical(what)
    if not any(row.url == url for row in store.urls()):
        raise UrlUnknown(url, folder)
    return [url]


def rows_of(store: Store, target: str) -> list[UrlRow]:
    """The page of a URL, or all pages of a host."""
    hosts = {row.host for row in store.hosts() if row.name == target}
    return [row for row in store.urls() if row.url == target or row.host in hosts]


def _drop(folder: Path, targets: list[str]) -> None:
    try:
        store = SqliteStore(folder)
    except FolderBusy:
        return
    try:
        rows = [row for target in targets for row in rows_of(store, target)]
        store.commit(
            Batch(gone=[row.page for row in rows if store.held(row.page) is not None])
        )
        index = FullTextIndex(folder / "index")
        index.catch_up(store)
        index.close()
    finally:
        store.close()


def _look_into(folder: Path) -> SqliteStore:
    if not folder.is_dir():
        raise FolderMissing(folder)
    return SqliteStore(folder, read_only=True)


def _find_host(rows: list[HostRow], host: str, folder: Path) -> list[HostRow]:
    name = _host_name(host)
    found = [row for row in rows if name in (row.name, row.name.rpartition(":")[0])]
    if not found:
        raise HostUnknown(host, folder)
    return found


def _host_name(host: str) -> str:
    try:
        return host_of(canonical(host))
    except BadUrl:
        return host.lower()


def _facts(folder: Path, store: Store, rows: list[HostRow]) -> list[HostFacts]:
    orders = OrderFile(folder)
    orders.news()
    standing = orders.standing
    known = dict.fromkeys((row.host for row in rows), 0)
    held = dict(known)
    for url in store.urls():
        if url.host in known:
            known[url.host] += 1
            held[url.host] += store.held(url.page) is not None
    return [
        HostFacts(
            row.name,
            known[row.host],
            held[row.host],
            _robots_said(row),
            row.name in standing.paused,
            row.name in standing.blocked,
            row.name in standing.forgotten,
            standing.shares.get(row.name, 1.0),
        )
        for row in rows
    ]


def _robots_said(row: HostRow) -> str:
    if row.robots is None:
        return "not asked for yet"
    if row.robots.text is None:
        return "could not be had, so nothing is visited"
    delay_s = Rules.of(row.robots).crawl_delay_s
    rules = "has rules" if row.robots.text.strip() else "has no rules"
    return rules if delay_s is None else f"{rules}, Crawl-delay {delay_s:g} s"
