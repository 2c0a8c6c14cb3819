"""The hosts of a folder, as the schedule saw them when it was last saved."""

from __future__ import annotations

from collections import Counter

import numpy as np

from trapline.app.folder.dashboard_figures import HostLine
from trapline.app.folder.schedule.host_states import host_ready_in_s, host_state
from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.core.cards import HELD


def host_lines(
    schedule: SavedSchedule, now_s: float, most: int, lately: Counter[int]
) -> list[HostLine]:
    """The hosts that were visited most, at most so many; `lately` counts visits of a minute."""
    hosts = schedule.hosts
    known = min(len(hosts), len(schedule.host_names))
    order = np.argsort(-hosts["visits"][:known], kind="stable")[:most]
    is_held = schedule.cards["state"] == HELD
    held = np.bincount(schedule.cards["host"][is_held], minlength=known)
    return [
        HostLine(
            host=schedule.host_names[host],
            pages_known=int(hosts["pages"][host]),
            pages_held=int(held[host]),
            visits=int(hosts["visits"][host]),
            visits_per_s=lately[host] / 60.0,
            gap_s=float(hosts["gap"][host]),
            state=host_state(hosts, host, now_s),
            ready_in_s=host_ready_in_s(hosts, host, now_s),
            price=float(hosts["local"][host]),
        )
        for host in order.tolist()
    ]
