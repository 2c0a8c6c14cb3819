"""The schedules that robots last saved: one, or one of each shard, with the visits made since."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.crawl_store import shard_folder
from trapline.app.folder.places.store_link import linked_address
from trapline.app.folder.schedule.saved_schedule import (
    SavedSchedule,
    saved_schedule,
    schedule_in,
)
from trapline.core.records import Visit
from trapline.core.storage import SteadyStore
from trapline.stores.united.shard_numbers import ShardNumbers


class SchedulePart(NamedTuple):
    """Pages and hosts are numbered as in `store`."""

    schedule: SavedSchedule
    store: SteadyStore
    visits: list[Visit]  # newest first


def schedule_parts(
    folder: Path, store: SteadyStore, visits: Sequence[Visit]
) -> list[SchedulePart]:
    """Of all robots that have saved a schedule; `visits` are the newest of all."""
    if not is_in_shards(folder):
        schedule = saved_schedule(folder)
        return [SchedulePart(schedule, store, list(visits))] if schedule else []
    parts = []
    for shard, part in enumerate(store.parts()):
        found = _schedule_of(folder, part, shard)
        if found is not None:
            numbers = ShardNumbers(shard, len(store.parts()))
            own = [numbers.own_visit(one) for one in visits if numbers.has(one.number)]
            parts.append(SchedulePart(found, part, own))
    return parts


def _schedule_of(folder: Path, part: SteadyStore, shard: int) -> SavedSchedule | None:
    if linked_address(folder):
        return schedule_in(part, folder, shard)
    return saved_schedule(shard_folder(folder, shard))
