"""A worker that is started while PostgreSQL is away waits for it, if somebody has begun the crawl:
a supervisor would take its end for a mistake, and end the others, too.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.postgres_server import fresh_address, server_away
from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.app.shards.crew.supervisor import WorkerProcesses
from trapline.app.shards.crew.worker_process import (
    WorkerThread,
    WorkerWishes,
    run_worker,
    settings_text,
)
from trapline.core.errors import StoreSilent
from trapline.core.ledger import Founding, Ledger
from trapline.ledgers.open_ledger import open_ledger

PATIENCE_S = 120.0
SETTINGS = settings_text(Settings())


@pytest.fixture
def place(tmp_path: Path) -> CrawlPlace:
    place = place_named(fresh_address(), tmp_path / "D")
    with closing(open_ledger(place.where, create=True)) as ledger:
        ledger.establish(Founding(1, json.dumps({}), 10.0))
    return place


def _wait_until(is_so: Callable[[], bool], look: Callable[[], None]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline_s
        look()
        time.sleep(0.1)


def _has_worker(ledger: Ledger) -> Callable[[], bool]:
    return lambda: bool(ledger.workers())


def test_one_of_a_supervisor(
    place: CrawlPlace, capfd: pytest.CaptureFixture[str]
) -> None:
    heard = ""

    def is_told() -> bool:
        nonlocal heard
        heard += capfd.readouterr().err
        return "a worker waits for it" in heard

    with closing(open_ledger(place.where, create=False)) as ledger:
        crew = WorkerProcesses(place, ledger, Settings(), 1)
        try:
            _wait_until(_has_worker(ledger), crew.look_after)
            [first] = [row.name for row in ledger.workers()]
            with server_away():
                os.kill(int(first.split("-")[-2]), signal.SIGKILL)
                _wait_until(is_told, crew.look_after)
            _wait_until(
                lambda: any(row.name != first for row in ledger.workers()),
                crew.look_after,
            )
        finally:
            crew.stop()


def test_one_in_an_actor(place: CrawlPlace, capfd: pytest.CaptureFixture[str]) -> None:
    worker = WorkerThread(str(place.where), place.folder, SETTINGS)
    with closing(open_ledger(place.where, create=False)) as ledger:
        with server_away():
            worker.start()
            _wait_until(
                lambda: "a worker waits for it" in capfd.readouterr().err,
                lambda: None,
            )
            assert worker.is_alive()
        _wait_until(_has_worker(ledger), lambda: None)
        worker.stop()
        worker.join(PATIENCE_S)
    assert worker.has_ended


def test_one_that_was_stopped_meanwhile_ends(place: CrawlPlace) -> None:
    worker = WorkerThread(str(place.where), place.folder, SETTINGS)
    with server_away():
        worker.start()
        worker.stop()
        worker.join(PATIENCE_S)
        assert not worker.is_alive()


def test_one_that_a_person_starts_does_not_wait(place: CrawlPlace) -> None:
    with server_away(), pytest.raises(StoreSilent, match="check host and port"):
        run_worker(WorkerWishes(place))
