"""The hosts of a folder, the most visited first, as of the schedule that was last saved."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from trapline.app.folder.dashboard_figures import HostLine
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.schedule.host_lines import host_lines
from trapline.app.folder.schedule.saved_schedule import saved_schedule

_LOOK_BACK = 5000  # visits
_MINUTE_S = 60.0


def hosts_of(folder: Path, most: int) -> list[HostLine]:
    """Nothing while no schedule has been saved; FolderMissing where no engine is."""
    store = open_for_reading(folder)
    try:
        visits = store.visits(last=_LOOK_BACK)
    finally:
        store.close()
    now_s = time.time()
    lately = Counter(
        visit.host for visit in visits if visit.ended_s > now_s - _MINUTE_S
    )
    schedule = saved_schedule(folder)
    return host_lines(schedule, now_s, most, lately) if schedule else []
