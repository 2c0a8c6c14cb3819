"""The work of `trapline worker`: a process that owns shards of a crawl and runs them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from aiohttp.abc import AbstractResolver
from pydantic import SecretStr

from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings, read_settings, settings_from
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.app.shards.crew.worker_names import name_worker
from trapline.app.shards.shard_engine import ShardOpener
from trapline.app.stop_signals import stop_signals
from trapline.cluster.worker import Worker
from trapline.core.errors import (
    ClockOff,
    CrawlMissing,
    SettingsUnreadable,
    StoreAway,
    StoreSilent,
    TraplineError,
    UserMistake,
)
from trapline.core.ledger import Founding, Ledger
from trapline.live.awake_loop import run_awake
from trapline.live.reader_processes import ReaderProcesses, readers_here
from trapline.live.warm_up import warm_shard

MOST_OFF_S: Final = 2.0  # that a clock may differ from the store's
LOOK_S: Final = 1.0  # between two looks whether the supervisor is there
# a supervisor says two lines on the standard input: the name, and all settings as JSON
FROM_SUPERVISOR: Final = "-"


@dataclass(frozen=True, slots=True)
class WorkerWishes:
    place: CrawlPlace
    settings: str = ""  # a file; "" = those of the crawl
    # all settings with their secrets, by a supervisor; "" = it says none
    given: str = field(default="", repr=False)
    name: str = ""  # its alone; "" = one is made up
    readers: int | None = None
    quiet: bool = False
    resolver: Callable[[], AbstractResolver | None] = lambda: None


def run_worker(
    wishes: WorkerWishes,
    hand_over: Callable[[Worker], None] | None = None,
    is_wanted: Callable[[], bool] = lambda: False,
) -> None:
    """Until it is stopped, by a signal or by whoever the worker is handed over to.

    As long as it `is_wanted` by whoever has begun the crawl it waits for a store that is away.
    """
    parent = os.getppid()
    if wishes.settings == FROM_SUPERVISOR:
        name, _, given = sys.stdin.read().partition("\n")
        wishes = replace(wishes, name=name, given=given)
        is_wanted = partial(_has_parent, parent)
    ledger = _open_ledger(wishes.place, is_wanted)
    try:
        founding = ledger.founding()
        if founding is None:
            raise CrawlMissing(wishes.place.shown)
        check_clock(ledger.clock_off_s())
        settings = settings_for(wishes, founding)
        wishes.place.link()
        warm_shard(settings.discovery.policy, settings.refresh.policy)
        supervisor = parent if wishes.settings == FROM_SUPERVISOR else None
        heed = hand_over or (lambda worker: _heed_signals(worker, supervisor))
        work = _run(wishes, ledger, founding, settings, heed)
        run_awake(work)
    finally:
        ledger.close()


def _open_ledger(place: CrawlPlace, is_wanted: Callable[[], bool]) -> Ledger:
    said = False
    while True:
        try:
            return place.open_ledger()
        except (StoreSilent, StoreAway) as away:
            if not is_wanted():
                raise
            if not said:
                said = True
                print_remark(f"{away}; a worker waits for it")
        time.sleep(LOOK_S)


def _has_parent(parent: int) -> bool:
    return os.getppid() == parent


def _heed_signals(worker: Worker, supervisor: int | None) -> None:
    """And the end of a supervisor that was killed: nobody else would end its workers."""
    loop = asyncio.get_running_loop()
    for sign in stop_signals():
        loop.add_signal_handler(sign, worker.stop)

    def look() -> None:
        if os.getppid() == supervisor:
            loop.call_later(LOOK_S, look)
        else:
            worker.stop()

    if supervisor is not None:
        look()


class WorkerThread(threading.Thread):
    """A worker in a thread, for processes that are not ours alone."""

    def __init__(self, where: str, folder: Path, settings: str) -> None:
        super().__init__(name="worker", daemon=True)
        place = place_named(where, folder)
        self._wishes = WorkerWishes(place, given=settings, readers=0)
        # `_stop` is the thread's own
        self._stop_worker: Callable[[], None] | None = None
        self._stopped = False
        self.failure = ""
        self.is_mistake = False  # the failure is the user's: trying again is of no use

    def run(self) -> None:
        try:
            run_worker(self._wishes, self._take, lambda: not self._stopped)
        except TraplineError as failure:
            self.failure = str(failure)
            self.is_mistake = isinstance(failure, UserMistake)
        except Exception as failure:
            self.failure = repr(failure)

    @property
    def has_ended(self) -> bool:
        """In order, as one that was drained."""
        return not self.is_alive() and not self.failure

    def stop(self) -> None:
        self._stopped = True
        if self._stop_worker is not None:
            self._stop_worker()

    def _take(self, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        self._stop_worker = lambda: _call(loop, worker.stop)
        if self._stopped:
            worker.stop()


def _call(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    """From another thread."""
    with suppress(RuntimeError):  # it has ended
        loop.call_soon_threadsafe(act)


def check_clock(off_s: float) -> None:
    if abs(off_s) > MOST_OFF_S:
        raise ClockOff(off_s)


def settings_for(wishes: WorkerWishes, founding: Founding) -> Settings:
    """Those of the crawl; a file adds what the ledger does not keep: secrets, and outlets."""
    if wishes.given or wishes.settings == FROM_SUPERVISOR:
        return _settings_given(wishes.given)
    values = json.loads(founding.settings)
    if wishes.settings:
        own = read_settings(Path(wishes.settings))
        given = own.model_dump(include={"access", "output"}, exclude_unset=True)
        values = {**values, **given}
    return settings_from(f"the crawl in {wishes.place.shown}", values)


def _settings_given(text: str) -> Settings:
    said = "what the supervisor says"
    try:
        values = json.loads(text)
    except ValueError:
        raise SettingsUnreadable(said, "it is not JSON") from None
    return settings_from(said, values)


def settings_text(settings: Settings) -> str:
    """All settings, secrets too, for a process of one's own."""
    return json.dumps(settings.model_dump(), default=_reveal)


def _reveal(value: Any) -> Any:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


async def _run(
    wishes: WorkerWishes,
    ledger: Ledger,
    founding: Founding,
    settings: Settings,
    hand_over: Callable[[Worker], None],
) -> None:
    say = (lambda _: None) if wishes.quiet else print_remark
    count = readers_here() if wishes.readers is None else wishes.readers
    readers = ReaderProcesses(count)
    await readers.start()
    place = wishes.place
    stores = place.open_stores()
    opener = ShardOpener(
        settings,
        ledger,
        founding.shards,
        place.shards_folder,
        stores.open,
        readers,
        say,
        wishes.resolver,
        place.words,
    )
    name = wishes.name or name_worker()
    worker = Worker(
        name,
        ledger,
        founding,
        opener,
        say,
    )
    hand_over(worker)
    try:
        await worker.run()
    finally:
        readers.close()
        stores.close()
