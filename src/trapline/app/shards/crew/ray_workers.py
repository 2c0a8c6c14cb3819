"""Workers on a Ray cluster: one actor a worker, spread over the machines, started anew for ever.

Ray places, starts and restarts. It may start a worker twice (when a machine hangs, the old actor
runs on beside the new one): ownership is the ledger's, so no host is hurried.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from trapline.app.folder.places.store_link import PASSWORD
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crew.supervisor import MOST_DEATHS, WorkersFail
from trapline.app.shards.crew.worker_process import WorkerThread, settings_text

END_S: Final = 60.0  # for a worker to save all
ASK_EVERY_S: Final = 5.0  # how workers are
LONG_S: Final = 60.0  # until people hear that there is no room for a worker


class RayWorkers:
    """As `WorkerProcesses`, on Ray."""

    def __init__(
        self, ray: Any, place: CrawlPlace, settings: Settings, workers: int
    ) -> None:
        self._ray = ray
        self._began_s = time.monotonic()
        self._asked_s = self._began_s
        self._ended: set[int] = set()
        self._heard: set[int] = set()
        self._remarked = False
        actor = ray.remote(WorkerActor).options(
            max_restarts=-1,
            max_concurrency=4,  # it answers while it works
            scheduling_strategy="SPREAD",
            num_cpus=1,
        )
        password = place.environment().get(PASSWORD, "")
        said = (place.shown, str(place.folder), settings_text(settings), password)
        self._actors = [actor.remote(*said) for _ in range(workers)]

    @property
    def is_over(self) -> bool:
        return len(self._ended) == len(self._actors)

    def look_after(self) -> None:
        """Ray starts anew what has died; what cannot work at all is told."""
        if time.monotonic() < self._asked_s + ASK_EVERY_S:
            return
        answers = {
            actor.state.remote(): number for number, actor in enumerate(self._actors)
        }
        ready, _ = self._ray.wait(list(answers), num_returns=len(answers), timeout=1.0)
        for answer in ready:
            # an actor that has just died is started anew
            with suppress(self._ray.exceptions.RayActorError):
                self._hear(answers[answer], *self._ray.get(answer))
        self._asked_s = time.monotonic()
        self._remark()

    def stop(self) -> None:
        ends = [actor.stop.remote() for actor in self._actors]
        with suppress(self._ray.exceptions.RayError):
            self._ray.wait(ends, num_returns=len(ends), timeout=END_S)
        for actor in self._actors:
            self._ray.kill(actor)

    def processes(self) -> list[int]:
        """Their numbers, for those who want to see them die."""
        return list(self._ray.get([actor.process.remote() for actor in self._actors]))

    def _hear(self, number: int, failure: str, has_ended: bool) -> None:
        if failure:
            raise WorkersFail(f"a worker on Ray has failed: {failure}")
        self._heard.add(number)
        if has_ended:
            self._ended.add(number)

    def _remark(self) -> None:
        missing = len(self._actors) - len(self._heard)
        if missing and not self._remarked and self._asked_s > self._began_s + LONG_S:
            self._remarked = True
            print_remark(
                f"{missing} of {len(self._actors)} workers have not started: does the Ray "
                "cluster have a processor for each?"
            )


class WorkerActor:
    """A worker in a process of Ray's. It begins by itself, also when Ray has started it anew."""

    def __init__(self, store: str, folder: str, settings: str, password: str) -> None:
        if password:
            os.environ[PASSWORD] = password
        self._start = partial(WorkerThread, store, Path(folder), settings)
        self._deaths = 0
        self._thread = self._start()
        self._thread.start()

    def state(self) -> tuple[str, bool]:
        """Why it cannot work ("" = it does), and whether it has ended in order."""
        thread = self._thread
        if thread.failure and not thread.is_mistake and self._deaths < MOST_DEATHS:
            self._deaths += 1
            self._thread = self._start()
            self._thread.start()
            return "", False
        return thread.failure, thread.has_ended

    def stop(self) -> None:
        """Save and give up all shards."""
        self._thread.stop()
        self._thread.join(END_S)

    def process(self) -> int:
        return os.getpid()
