"""The hosts of a folder, as a schedule sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.app.folder.dashboard_figures import HostLine, HostOrder
from trapline.app.folder.schedule.host_states import host_ready_in_s, host_state
from trapline.app.folder.visit_counts import count_errors
from trapline.core.cards import HELD, Cards, Hosts
from trapline.core.records import Visit

_MINUTE_S = 60.0


class HostTables(Protocol):
    """What a schedule knows of hosts; `SavedSchedule` is one."""

    @property
    def hosts(self) -> Hosts: ...
    @property
    def cards(self) -> Cards: ...
    @property
    def host_names(self) -> list[str]: ...


class Lately(NamedTuple):
    """Of the newest visits, by host: those of the last minute, and errors."""

    visits: Counter[int]
    errors: Counter[int]


def count_lately(visits: Iterable[Visit], now_s: float) -> Lately:
    seen = list(visits)
    minute = (visit.host for visit in seen if visit.ended_s > now_s - _MINUTE_S)
    return Lately(Counter(minute), count_errors(seen))


def host_lines(
    schedule: HostTables,
    now_s: float,
    most: int,
    lately: Lately,
    order: HostOrder = HostOrder.VISITS,
) -> list[HostLine]:
    """At most so many hosts, in this order."""
    hosts = schedule.hosts
    known = min(len(hosts), len(schedule.host_names))
    is_held = schedule.cards["state"] == HELD
    held = np.bincount(schedule.cards["host"][is_held], minlength=known)[:known]
    ranked = _rank_hosts(schedule, held, lately.errors, order)
    return [
        HostLine(
            host=schedule.host_names[host],
            pages_known=int(hosts["pages"][host]),
            pages_held=int(held[host]),
            visits=int(hosts["visits"][host]),
            visits_per_s=lately.visits[host] / _MINUTE_S,
            errors=lately.errors[host],
            gap_s=float(hosts["gap"][host]),
            state=host_state(hosts, host, now_s),
            ready_in_s=host_ready_in_s(hosts, host, now_s),
            price=float(hosts["local"][host]),
        )
        for host in ranked[:most]
    ]


def _rank_hosts(
    schedule: HostTables,
    held: NDArray[np.int64],
    errors: Counter[int],
    order: HostOrder,
) -> list[int]:
    """Host numbers, the first of the order first; those that are alike as they were met."""
    known = len(held)
    if order is HostOrder.NAME:
        return sorted(range(known), key=lambda host: schedule.host_names[host])
    columns = {
        HostOrder.VISITS: "visits",
        HostOrder.KNOWN: "pages",
        HostOrder.GAP: "gap",
        HostOrder.PRICE: "local",
    }
    if order is HostOrder.HELD:
        most = held
    elif order is HostOrder.ERRORS:
        most = np.array([errors[host] for host in range(known)], np.int64)
    else:
        most = schedule.hosts[columns[order]][:known]
    return [int(host) for host in np.argsort(-most, kind="stable")]
