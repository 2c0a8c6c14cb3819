"""The hosts of a folder in an order, as of one moment, also beside a robot at work."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from trapline.app.folder.dashboard_figures import HostLine, HostOrder
from trapline.app.folder.host_troubles import HostTroubles
from trapline.app.folder.schedule.controller_snapshot import (
    ControllerSnapshot,
    controller_snapshot,
)
from trapline.app.folder.schedule.host_lines import count_lately, host_lines
from trapline.app.folder.visit_counts import LOOK_BACK
from trapline.core.cards import Cards, Hosts
from trapline.core.errors import ScheduleMissing


class _HostTables(NamedTuple):
    hosts: Hosts
    cards: Cards
    host_names: list[str]


def hosts_of(
    folder: Path, most: int, order: HostOrder = HostOrder.VISITS
) -> list[HostLine]:
    """Nothing while no robot has run; FolderMissing where no engine is."""
    try:
        with controller_snapshot(folder) as found:
            visits = found.store.visits(last=LOOK_BACK)
            now_s = max(time.time(), found.controller.now_s)
            lately = count_lately(visits, now_s)
            troubles = HostTroubles(folder, found.store)
            rows = {row.name: row for row in found.store.hosts()}
            lines = host_lines(_tables(found), now_s, most, lately, order)
            return [
                replace(line, state=troubles.of(rows[line.host]) or line.state)
                for line in lines
            ]
    except ScheduleMissing:
        return []


def _tables(found: ControllerSnapshot) -> _HostTables:
    agenda = found.controller.agenda
    known = found.controller.hosts()
    names = [found.book.host_name(host) for host in range(known)]
    cards = agenda.cards[: int(agenda.tally("cards"))]
    return _HostTables(agenda.hosts[:known], cards, names)
