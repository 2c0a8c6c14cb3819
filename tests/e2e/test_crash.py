"""SIGKILL at some instant of a crawl: what was committed is there, learnt state is brought back, nobody is hurried."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.e2e.command import said, started, trapline
from tests.e2e.test_crawl import own_settings
from trapline.app.assembly import open_engine
from trapline.app.living_web import LivingWeb
from trapline.app.settings import read_settings
from trapline.core.cards import HELD
from trapline.core.errors import TraplineError
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.weaving import Shape
from trapline.stores.sqlite import SqliteStore

WORLD = LinkedWeb.generate(80, 3, "space", 4, Shape(gap_s=0.1, change_every_s=(2.0, 50.0)))


def held_pages(folder: Path) -> dict[int, str]:
    store = SqliteStore(folder, read_only=True)
    found = {change.page: change.document.url for change in store.changes() if change.document is not None}
    store.close()
    return found


def visits(folder: Path) -> int:
    try:
        store = SqliteStore(folder, read_only=True)
    except TraplineError:
        return 0  # not there yet
    found = store.counts().visits
    store.close()
    return found


def kill_after(wait_s: float, file: Path, folder: Path) -> None:
    """Kill a crawl so many seconds after its first new visits were committed."""
    before = visits(folder)
    running = started("crawl", file, "--dir", folder, "--json")
    deadline = time.monotonic() + 60.0
    while visits(folder) <= before and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(wait_s)
    running.kill()
    running.communicate()


def test_killed_again_and_again(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with LivingWeb(WORLD, latency_s=0.01) as web:
        file = own_settings(web, tmp_path / "topic.toml")
        before: dict[int, str] = {}
        for wait_s in (0.2, 0.9, 1.7):
            kill_after(wait_s, file, folder)
            now = held_pages(folder)
            assert set(before) - set(now) <= {page for page in before if page in gone_since(folder)}
            assert len(set(now.values())) == len(now), "one document a URL"
            before = now
        assert len(before) > 10
        told = said(trapline("crawl", file, "--dir", folder, "--visits", 5, "--json"))
        assert told["pages_held"] >= len(before) - len(gone_since(folder))
        assert web.gap_violations() == 0, "pacing is owed across a restart too"
        assert web.private_requests() == 0


def gone_since(folder: Path) -> set[int]:
    store = SqliteStore(folder, read_only=True)
    found = {change.page for change in store.changes() if change.document is None}
    store.close()
    return found


def test_state_is_brought_back_by_replay(tmp_path: Path) -> None:
    """After a kill the controller knows as held what the store holds: checkpoint and journal agree with the pages."""
    folder = tmp_path / "engine"
    with LivingWeb(WORLD, latency_s=0.01) as web:
        file = own_settings(web, tmp_path / "topic.toml")
        kill_after(2.0, file, folder)
        engine = open_engine(folder, read_settings(file))
        note = json.loads(engine.store.note("status") or "{}")
        assert not engine.relearn, "the journal was replayed to the end"
        assert engine.controller.agenda.count(HELD) == engine.store.counts().held
        assert engine.controller.agenda.tally("visits") >= note["visits"]
        engine.close()
