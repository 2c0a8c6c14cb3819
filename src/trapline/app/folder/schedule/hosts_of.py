"""The hosts of a folder in an order, as of the schedule that was last saved."""

from __future__ import annotations

import time
from pathlib import Path

from trapline.app.folder.dashboard_figures import HostLine, HostOrder
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.schedule.host_lines import count_lately, host_lines
from trapline.app.folder.schedule.saved_schedule import saved_schedule
from trapline.app.folder.visit_counts import LOOK_BACK


def hosts_of(
    folder: Path, most: int, order: HostOrder = HostOrder.VISITS
) -> list[HostLine]:
    """Nothing while no schedule has been saved; FolderMissing where no engine is."""
    store = open_for_reading(folder)
    try:
        visits = store.visits(last=LOOK_BACK)
    finally:
        store.close()
    now_s = time.time()
    lately = count_lately(visits, now_s)
    schedule = saved_schedule(folder)
    return host_lines(schedule, now_s, most, lately, order) if schedule else []
