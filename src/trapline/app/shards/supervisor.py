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

from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.worker_process import (
    FROM_SUPERVISOR,
    name_worker,
    settings_text,
)
from trapline.core.errors import EngineFailure, StoreAway
from trapline.core.ledger import Ledger

AGAIN_S: Final = 1.0  # until a worker that died is started again
END_S: Final = (
    60.0  # for workers to save all; then they are killed, which a crawl survives
)
WRONG_USE: Final = 2  # exit code
MOST_DEATHS: Final = 5  # in a row, before a worker has run for a minute


class WorkersFail(EngineFailure):
    """Workers die as soon as they are started; their own lines say why."""


@dataclass(slots=True)
class _Child:
    name: str
    process: subprocess.Popen[bytes]
    began_s: float = field(default_factory=time.monotonic)


class Supervisor:
    """`workers` processes on one crawl, each with so many readers."""

    def __init__(
        self, place: CrawlPlace, ledger: Ledger, settings: Settings, workers: int
    ) -> None:
        self._place = place
        self._ledger = ledger
        self._settings = settings_text(settings).encode()
        cores = len(os.sched_getaffinity(0))
        self._readers = max(0, min(3, cores // workers - 1))
        self._children = [self._start() for _ in range(workers)]
        self._deaths = 0

    def look_after(self) -> None:
        """Start anew what has died."""
        for place, child in enumerate(self._children):
            code = child.process.poll()
            if code is None:
                continue
            self._note_death(child, code)
            self._children[place] = self._start()

    def stop(self) -> None:
        """Have all shards saved and given up, then all workers end."""
        for child in self._children:
            child.process.send_signal(signal.SIGTERM)
        deadline_s = time.monotonic() + END_S
        for child in self._children:
            try:
                child.process.wait(max(0.1, deadline_s - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()

    def _note_death(self, child: _Child, code: int) -> None:
        """Nobody need wait for the leases of a process that is known to be dead."""
        with suppress(StoreAway):  # they end by themselves
            self._ledger.leave(child.name)
        lived_s = time.monotonic() - child.began_s
        self._deaths = 0 if lived_s > 60.0 else self._deaths + 1
        if code == WRONG_USE or self._deaths >= MOST_DEATHS:
            raise WorkersFail(
                f"a worker has ended with code {code}, and others before it: see its lines above"
            )
        time.sleep(AGAIN_S)

    def _start(self) -> _Child:
        name = f"{name_worker()}"
        arguments = ["--store", self._place.shown, "--dir", str(self._place.folder)]
        arguments += ["--settings", FROM_SUPERVISOR, "--name", name]
        arguments += ["--readers", str(self._readers)]
        process = subprocess.Popen(
            [sys.executable, "-m", "trapline", "worker", *arguments],
            stdin=subprocess.PIPE,
            # Ctrl-C is for the supervisor, which then ends them in order
            start_new_session=True,
        )
        assert process.stdin is not None
        try:
            process.stdin.write(self._settings)
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has died: the next look tells
        return _Child(name, process)
