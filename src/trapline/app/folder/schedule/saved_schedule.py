"""The schedule as the robot last saved it, at most a minute old: cheap to look at every second.

Nothing is replayed. Whoever needs the present state to the half second takes a
`controller_snapshot`, which costs a thousand times as much.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.schedule.controller_snapshot import settings_noted
from trapline.app.folder.schedule.learnt_rates import policy_with_rates
from trapline.app.settings import Settings
from trapline.core.cards import HELD, Cards, Hosts
from trapline.core.errors import CheckpointLost
from trapline.core.ports import Arrays
from trapline.core.storage import Store
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.registry import make_refresh_policy
from trapline.robot.agenda.agenda import Agenda, Budget
from trapline.robot.request_controller import part_of
from trapline.robot.visit_costs import VisitCosts
from trapline.stores.checkpoint_files import read_arrays
from trapline.theory.planning.page_gains import Ints, PageGains

_TRIES: Final = 3
LOOK_S: Final = 60.0  # as often as robots save
_SAMPLE: Final = 10_000  # held pages of which posteriors are kept


@dataclass(frozen=True)
class SavedSchedule:
    settings: Settings
    cards: Cards
    hosts: Hosts
    till: Cards  # one record
    host_names: list[str]
    policy: RefreshPolicy  # that knows how often pages change
    # a sample of the held pages, what is believed of them, and how many each stands for
    pages: Ints
    gains: PageGains
    stands_for: float
    usual_cost: float  # of a visit, in units of the budget

    def tally(self, name: str) -> float:
        return float(self.till[name][0])


def saved_schedule(folder: Path) -> SavedSchedule | None:
    """None = no robot has saved one, or it cannot be read. Cheap while there is no newer one."""
    newest = _newest_of(folder, 0)
    for _ in range(_TRIES):
        names = sorted(folder.glob("checkpoint-*.npz"), key=_calls)
        if not names:
            return None
        try:
            saved_ns = names[-1].stat().st_mtime_ns
            # another engine may have taken the folder
            mark = (names[-1].name, saved_ns)
            return newest.get(mark, partial(_read, folder, names[-1]))
        except FileNotFoundError:  # the robot has just put a newer one in its place
            continue
    return None


def schedule_in(part: Store, folder: Path, shard: int) -> SavedSchedule | None:
    """Of a shard whose checkpoints are no files of this machine: looked for once a minute."""
    minute = int(time.monotonic() // LOOK_S)
    newest = _newest_of(folder, shard)
    return newest.get((str(minute), 0), partial(_read_from, part, folder))


class _Newest:
    """The newest schedule of one controller; older ones are let go."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._mark: tuple[str, int] | None = None
        self._schedule: SavedSchedule | None = None

    def get(
        self, mark: tuple[str, int], read: Callable[[], SavedSchedule | None]
    ) -> SavedSchedule | None:
        with self._lock:
            if mark != self._mark:
                self._schedule = read()
                self._mark = mark
            return self._schedule


@lru_cache(maxsize=4096)
def _newest_of(folder: Path, shard: int) -> _Newest:
    return _Newest()


def _calls(path: Path) -> int:
    number = path.stem.removeprefix("checkpoint-")
    return int(number) if number.isdecimal() else -1


def _read(folder: Path, path: Path) -> SavedSchedule | None:
    arrays = _arrays(path)
    if arrays is None:
        return None
    store = open_for_reading(folder)
    try:
        return _made_of(arrays, store, folder)
    finally:
        store.close()


def _read_from(part: Store, folder: Path) -> SavedSchedule | None:
    try:
        checkpoint = part.load_checkpoint()
    except CheckpointLost:
        return None
    return None if checkpoint is None else _made_of(checkpoint.arrays, part, folder)


def _made_of(arrays: Arrays, store: Store, folder: Path) -> SavedSchedule | None:
    agenda = Agenda(Budget())
    if not agenda.understands(arrays):  # of another version
        return None
    agenda.load(arrays)
    return _schedule(agenda, arrays, store, folder)


def _arrays(path: Path) -> Arrays | None:
    try:
        return read_arrays(path)
    except FileNotFoundError:
        raise
    except Exception:
        # damage shows itself as almost any exception, as in stores/checkpoint_files.py
        return None


def _schedule(
    agenda: Agenda, arrays: Arrays, store: Store, folder: Path
) -> SavedSchedule:
    settings = settings_noted(store, folder)
    cards = agenda.cards[: len(arrays["cards"])]
    policy = policy_with_rates(_restored_policy(settings, arrays), store)
    held = np.flatnonzero(cards["state"] == HELD)
    every = max(1, -(-len(held) // _SAMPLE))
    pages = held[::every]
    on_hosts = cards["host"][pages].astype(np.int64)
    return SavedSchedule(
        settings=settings,
        cards=cards,
        hosts=agenda.hosts[: len(arrays["hosts"])],
        till=agenda.books.till,
        host_names=[row.name for row in store.hosts()],
        policy=policy,
        pages=pages,
        gains=policy.page_gains(pages, on_hosts),
        stands_for=len(held) / max(1, len(pages)),
        usual_cost=_usual_cost(settings, arrays),
    )


def _usual_cost(settings: Settings, arrays: Arrays) -> float:
    costs = VisitCosts(settings.budget.cost)
    costs.load(part_of(arrays, "costs."))
    return costs.usual


def _restored_policy(settings: Settings, arrays: Arrays) -> RefreshPolicy:
    policy = make_refresh_policy(settings.refresh.policy, settings.refresh.options)
    if arrays["policies"].tolist()[1] == type(policy).__name__:
        policy.restore(part_of(arrays, "refresh."))
    return policy
