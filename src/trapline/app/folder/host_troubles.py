"""Why nobody goes to a host of a folder: one place finds it out, all lists and answers say it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from trapline.app.folder.orders.order_file import OrdersInForce
from trapline.app.folder.reach_figures import LOST, hosts_shut
from trapline.core.records import Robots
from trapline.core.storage import HostRow, Store
from trapline.politeness.rules import rules_of


class HostTroubles:
    """Of all hosts of a folder, as of one moment."""

    def __init__(self, orders: OrdersInForce, store: Store) -> None:
        self._store = store
        self._orders = orders
        self._shut = hosts_shut(store)
        self._lost = names_lost(store)

    def of(self, row: HostRow) -> str:
        """In words; "" = nothing keeps us from going there."""
        return " and ".join(self._all(row))

    def _all(self, row: HostRow) -> Iterator[str]:
        orders = self._orders
        if row.name in orders.paused:
            yield "paused"
        if row.name in orders.blocked:
            yield "blocked"
        if row.name in orders.forgotten:
            yield "forgotten"
        if row.name in self._shut:
            yield f"out of reach ({self._shut[row.name]})"
        elif row.name in self._lost:
            yield "cannot be found"
        else:
            yield from _robots_trouble(self._store.robots(row.host), row.home)


def names_lost(store: Store) -> set[str]:
    return set(json.loads(store.note(LOST) or "[]"))


def _robots_trouble(robots: Robots | None, home: str) -> Iterator[str]:
    if robots is None:
        return
    if robots.text is None:
        yield "robots.txt is not answering"
    elif rules_of(robots).forbids_all(home):
        yield "robots.txt forbids all"
