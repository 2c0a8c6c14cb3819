"""A controller beside a robot at work: what is read fits together, whatever is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from trapline.app.engine.from_settings import (
    live_policies,
    manners_of,
    request_controller,
)
from trapline.app.folder.page_reasons import reasons_for
from trapline.app.folder.schedule import controller_snapshot as module
from trapline.app.folder.schedule.controller_snapshot import controller_snapshot
from trapline.app.settings import settings_from
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import FRINGE
from trapline.core.errors import ScheduleMissing
from trapline.core.links import links_to
from trapline.core.storage import Batch, Call, Checkpoint, HostRow, Store, UrlRow
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.stores.sqlite.store import SqliteStore

SETTINGS: dict[str, object] = {
    "seeds": ["http://127.0.0.2:8000/0"],
    "manners": {"contact": "a@b.org"},
}


class Robot:
    """Meets one host after the other, a page each, and commits what it does."""

    def __init__(self, folder: Path) -> None:
        self.store = SqliteStore(folder)
        self.store.commit(Batch(notes={"settings": json.dumps(SETTINGS)}))
        settings = settings_from("a test", SETTINGS)
        self.controller = request_controller(
            settings,
            live_policies(settings),
            self._names(),
            manners_of(settings),
            self.store.robots,
        )
        self.calls = list[Call]()
        self.journal = Journal(self.controller, self.calls.append)
        self.hosts = 0

    def _names(self) -> HashUrlBook:
        book = HashUrlBook(1)
        for host in range(50):
            book.number(url(host))
        return book

    def meet_host(self) -> None:
        host = self.hosts
        self.journal.admit(links_to([host], [host]), 1.0 + host)
        name = f"127.0.0.{2 + host}:8000"
        self.store.commit(
            Batch(
                hosts=[HostRow(host, name, f"http://{name}/")],
                urls=[UrlRow(host, url(host), host)],
                calls=self.calls[:],
            )
        )
        self.calls.clear()
        self.hosts += 1

    def save(self) -> None:
        arrays = {n: np.array(array) for n, array in self.controller.save().items()}
        self.store.save_checkpoint(Checkpoint(self.journal.calls, arrays))


def url(host: int) -> str:
    return f"http://127.0.0.{2 + host}:8000/{host}"


@pytest.fixture
def robot(tmp_path: Path) -> Iterator[Robot]:
    made = Robot(tmp_path / "engine")
    made.meet_host()
    yield made
    made.store.close()


def interrupt(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], None]) -> None:
    """Something happens between the reading of URLs and that of the journal."""

    def load_book(store: Store) -> HashUrlBook:
        book = HashUrlBook.load(store, 1)
        meanwhile()
        return book

    monkeypatch.setattr(module, "load_book", load_book)


def fringe(controller: RequestController) -> int:
    return controller.agenda.count(FRINGE)


def test_hosts_met_meanwhile_are_for_the_next_snapshot(
    robot: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, robot.meet_host)
    for known in range(1, 5):
        with controller_snapshot(tmp_path / "engine") as found:
            assert fringe(found.controller) == len(found.book) == known
    assert reasons_for(tmp_path / "engine", url(3)).state == "on the fringe"


def test_a_checkpoint_saved_meanwhile_does_no_harm(
    robot: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work() -> None:
        robot.meet_host()
        robot.save()

    interrupt(monkeypatch, work)
    for known in range(1, 5):
        with controller_snapshot(tmp_path / "engine") as found:
            assert fringe(found.controller) == len(found.book) == known


def test_a_checkpoint_saved_while_a_snapshot_begins_is_taken(
    robot: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is read, then another takes its place, and the calls before that are dropped."""
    robot.save()
    store = SqliteStore(tmp_path / "engine", read_only=True)
    newest = store._files.newest
    late = [True]

    def newest_then_work() -> Checkpoint | None:
        found = newest()
        if late.pop() if late else False:
            robot.meet_host()
            robot.save()
        return found

    monkeypatch.setattr(store._files, "newest", newest_then_work)
    with store.snapshot():
        found = store.load_checkpoint()
        assert found is not None
        assert found.calls == robot.journal.calls == 2
        assert store.counts().known == 2
    store.close()


def test_a_store_is_read_as_it_is_again_after_a_snapshot(
    robot: Robot, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "engine", read_only=True)
    with store.snapshot():
        robot.meet_host()
        assert store.counts().known == 1
    assert store.counts().known == 2
    store.close()


def test_a_folder_on_which_no_robot_has_run_is_named(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "engine").close()
    with pytest.raises(ScheduleMissing), controller_snapshot(tmp_path / "engine"):
        pass
