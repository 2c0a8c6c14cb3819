"""The built-in supervisor: worker processes on this machine, started anew when they die.

It owns nothing and decides nothing of the crawl: what must be true is true in the ledger, whoever
starts workers, and however often.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crew.worker_names import name_process
from trapline.app.shards.crew.worker_process import (
    FROM_SUPERVISOR,
    settings_text,
)
from trapline.core.errors import EngineFailure, StoreAway
from trapline.core.ledger import Ledger

AGAIN_S: Final = 1.0  # until a worker that died is started again
# for workers to save all; then they are killed, which a crawl survives
END_S: Final = 60.0
SOON_S: Final = 15.0  # later the first worker is compiling
WRONG_USE: Final = 2  # exit code
MOST_DEATHS: Final = 5  # in a row, before a worker has run for a minute


class WorkersFail(EngineFailure):
    """Workers die as soon as they are started; their own lines say why."""


class Supervisor:
    """Starts workers as processes of its own."""

    def recruit(
        self, place: CrawlPlace, ledger: Ledger, settings: Settings, workers: int
    ) -> WorkerProcesses:
        return WorkerProcesses(
            place,
            ledger,
            settings,
            workers,
        )

    def close(self) -> None:
        """Each crew has been stopped."""


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    name: str  # of the worker that it is
    began_s: float = field(default_factory=time.monotonic)

    def is_there(self, ledger: Ledger) -> bool:
        return any(row.name == self.name for row in ledger.workers())

    def clear_away(self, ledger: Ledger) -> None:
        """After its death nobody need wait for its leases."""
        rows = ledger.owners()
        held = {row.shard: row.epoch for row in rows if row.owner == self.name}
        ledger.leave(self.name, held)


class WorkerProcesses:
    """`workers` processes on one crawl, each with so many readers.

    The first one has kernels compiled, if they are not yet; the others start when it is there.
    """

    def __init__(
        self, place: CrawlPlace, ledger: Ledger, settings: Settings, workers: int
    ) -> None:
        self._place = place
        self._ledger = ledger
        self._settings = settings_text(settings).encode()
        cores = len(os.sched_getaffinity(0))
        self._readers = max(0, min(3, cores // workers - 1))
        self._deaths = 0
        self._waiting = workers - 1  # to be started
        self._remarked = False
        self._children = [self._start()]

    @property
    def is_over(self) -> bool:
        return not self._children and not self._waiting

    def look_after(self) -> None:
        """Start anew what has died."""
        for child in list(self._children):
            code = child.process.poll()
            if code is None:
                continue
            self._children.remove(child)
            with suppress(StoreAway):  # else its leases end by themselves
                child.clear_away(self._ledger)
            if code != 0:  # who was drained has ended in order
                self._note_death(child, code)
                self._children.append(self._start())
        if self._waiting and self._first_is_there():
            self._children += [self._start() for _ in range(self._waiting)]
            self._waiting = 0

    def stop(self) -> None:
        for child in self._children:
            child.process.send_signal(signal.SIGTERM)
        deadline_s = time.monotonic() + END_S
        for child in self._children:
            try:
                child.process.wait(max(0.1, deadline_s - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()

    def _first_is_there(self) -> bool:
        """True also if it was drained at once."""
        if not self._children:
            return True
        first = self._children[0]
        if not self._remarked and time.monotonic() > first.began_s + SOON_S:
            self._remarked = True
            print_remark(
                "the first worker is not ready yet: kernels are compiled once, for a minute"
            )
        with suppress(StoreAway):
            return first.is_there(self._ledger)
        return False

    def _note_death(self, child: _Child, code: int) -> None:
        lived_s = time.monotonic() - child.began_s
        self._deaths = 0 if lived_s > 60.0 else self._deaths + 1
        if code == WRONG_USE or self._deaths >= MOST_DEATHS:
            raise WorkersFail(
                f"a worker has ended with code {code}, and others before it: see its lines above"
                if self._deaths > 1
                else f"a worker has ended with code {code}: see its lines above"
            )
        time.sleep(AGAIN_S)

    def _start(self) -> _Child:
        arguments = ["--store", self._place.shown, "--dir", str(self._place.folder)]
        arguments += ["--settings", FROM_SUPERVISOR]
        arguments += ["--readers", str(self._readers)]
        process = subprocess.Popen(
            [sys.executable, "-m", "trapline", "worker", *arguments],
            stdin=subprocess.PIPE,
            env=self._place.environment(),
            # Ctrl-C is for the supervisor, which then ends them in order
            start_new_session=True,
        )
        name = name_process(process.pid)
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it has died: the next look tells
            process.stdin.write(name.encode() + b"\n" + self._settings)
            process.stdin.close()
        return _Child(process, name)
