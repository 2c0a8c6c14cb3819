"""The hosts of a folder in an order, as of one moment, also beside a robot at work."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from trapline.app.folder.dashboard_figures import HostLine, HostOrder
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.host_troubles import HostTroubles
from trapline.app.folder.orders.order_file import OrdersInForce, orders_in_force
from trapline.app.folder.places.crawl_store import hosts_left
from trapline.app.folder.schedule.controller_snapshot import (
    ControllerSnapshot,
    controller_of,
)
from trapline.app.folder.schedule.host_lines import count_lately, host_lines
from trapline.app.folder.visit_counts import LOOK_BACK
from trapline.core.cards import Cards, Hosts
from trapline.core.errors import ScheduleMissing
from trapline.core.storage import SteadyStore

# hosts that are alike stay as they were met
_KEYS: Final[dict[HostOrder, Callable[[HostLine], Any]]] = {
    HostOrder.VISITS: lambda line: -line.visits,
    HostOrder.HELD: lambda line: -line.pages_held,
    HostOrder.KNOWN: lambda line: -line.pages_known,
    HostOrder.ERRORS: lambda line: -line.errors,
    HostOrder.GAP: lambda line: -line.gap_s,
    HostOrder.PRICE: lambda line: -line.price,
    HostOrder.NAME: lambda line: line.host,
}


class _HostTables(NamedTuple):
    hosts: Hosts
    cards: Cards
    host_names: list[str]


def hosts_of(
    folder: Path, most: int, order: HostOrder = HostOrder.VISITS
) -> list[HostLine]:
    """Nothing while no robot has run; FolderMissing where no engine is."""
    store = open_for_reading(folder)
    try:
        orders = orders_in_force(folder)
        lines = [
            line
            for part in store.parts()
            for line in _lines_of(part, folder, orders, most, order)
        ]
    finally:
        store.close()
    return sorted(lines, key=_KEYS[order])[:most]


def _lines_of(
    part: SteadyStore, folder: Path, orders: OrdersInForce, most: int, order: HostOrder
) -> list[HostLine]:
    """Of one shard, in order."""
    try:
        with controller_of(part, folder) as found:
            visits = found.store.visits(last=LOOK_BACK)
            now_s = max(time.time(), found.controller.now_s)
            lately = count_lately(visits, now_s)
            troubles = HostTroubles(orders, found.store)
            rows = {row.name: row for row in found.store.hosts()}
            left = hosts_left(found.store)
            tables = _tables(found)
            lines = host_lines(tables, now_s, most + len(left), lately, order)
            return [
                replace(line, state=troubles.of(rows[line.host]) or line.state)
                for line in lines
                if line.host not in left
            ]
    except ScheduleMissing:
        return []


def _tables(found: ControllerSnapshot) -> _HostTables:
    agenda = found.controller.agenda
    known = found.controller.hosts()
    names = [found.book.host_name(host) for host in range(known)]
    cards = agenda.cards[: int(agenda.tally("cards"))]
    return _HostTables(agenda.hosts[:known], cards, names)
