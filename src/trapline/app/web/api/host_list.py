"""The hosts of a folder in one list, to be sorted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from trapline.app.folder.orders.order_file import OrdersInForce, orders_in_force
from trapline.core.storage import HostPages, HostRow, Store


class HostSort(StrEnum):
    PAGES = "pages"  # most pages held first
    KNOWN = "known"  # most pages known first
    NAME = "name"


@dataclass(frozen=True, slots=True)
class ListedHost:
    host: str  # name:port
    home: str
    pages_known: int
    pages_held: int
    paused: bool
    blocked: bool
    forgotten: bool
    share: float  # of the visits, at most


@dataclass(frozen=True, slots=True)
class HostList:
    total: int
    hosts: list[ListedHost]

    def sort_by(self, sort: HostSort) -> HostList:
        """Hosts that are alike come by name."""
        by_name = sorted(self.hosts, key=lambda host: host.host)
        if sort is HostSort.PAGES:
            by_name.sort(key=lambda host: -host.pages_held)
        elif sort is HostSort.KNOWN:
            by_name.sort(key=lambda host: -host.pages_known)
        return HostList(self.total, by_name)


def list_hosts(folder: Path, store: Store) -> HostList:
    pages = store.pages_by_host()
    in_force = orders_in_force(folder)
    nothing = HostPages(0, 0)
    hosts = [
        _describe(row, pages.get(row.host, nothing), in_force) for row in store.hosts()
    ]
    return HostList(len(hosts), hosts)


def _describe(row: HostRow, pages: HostPages, in_force: OrdersInForce) -> ListedHost:
    return ListedHost(
        row.name,
        row.home,
        pages.known,
        pages.held,
        row.name in in_force.paused,
        row.name in in_force.blocked,
        row.name in in_force.forgotten,
        in_force.shares.get(row.name, 1.0),
    )
