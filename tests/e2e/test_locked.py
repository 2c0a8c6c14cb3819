"""Another program locks the store, or takes the index away: the robot waits or makes it anew, says
so in one line, and goes on.
"""

from __future__ import annotations

import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

import apsw
import pytest

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.forks import Forked
from tests.e2e.support.killing import visits
from tests.e2e.test_crawl import own_settings
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.web.server import WebServer, bind
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

WORLD = LinkedWeb.generate(
    60, 4, "space", 2, Shape(gap_s=0.1, change_every_s=(1.0, 20.0))
)
QUERY = "comet orbit telescope"


@pytest.fixture(scope="module")
def web() -> Iterator[PracticeWeb]:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        yield web


@pytest.fixture(scope="module")
def file(web: PracticeWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_settings(web, tmp_path_factory.mktemp("settings") / "topic.toml")


@pytest.fixture
def folder(file: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "engine"
    said(trapline("crawl", file, "--dir", folder, "--visits", 15, "--json"))
    return folder


@contextmanager
def locked(folder: Path, *, wholly: bool = False) -> Iterator[None]:
    """Nobody can write; `wholly`: nor read, as long as no robot is at work."""
    connection = apsw.Connection(str(folder / "store.sqlite"))
    connection.set_busy_timeout(30_000)
    if wholly:
        connection.pragma("locking_mode", "EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def at_work(file: Path, folder: Path) -> AbstractContextManager[Forked]:
    """It ends by itself in the end, or a test would wait for ever for a line that is not said."""
    return started("crawl", file, "--dir", folder, "--json", "--seconds", 240)


def end(robot: Forked) -> tuple[int, str]:
    robot.send_signal(signal.SIGINT)
    _, complaint = robot.communicate(90)
    return robot.wait(), complaint


def test_a_lock_while_the_robot_works(
    folder: Path, file: Path, web: PracticeWeb
) -> None:
    with at_work(file, folder) as robot:
        before = visits(folder)
        wait_until(lambda: visits(folder) > before)
        with locked(folder):
            line = robot.stderr.readline()
            assert "another program has locked the store: waiting to save" in line
            requests = web.requests()
            wait_until(lambda: web.requests() > requests + 3)
            assert web.requests() > requests + 3, "meanwhile it goes on"
        assert "the store is free again" in robot.stderr.readline()
        code, complaint = end(robot)
    assert (code, complaint) == (0, "")
    assert web.gap_violations() == 0


def test_a_robot_that_is_ended_while_the_store_is_locked(
    folder: Path, file: Path
) -> None:
    with at_work(file, folder) as robot:
        before = visits(folder)
        wait_until(lambda: visits(folder) > before)
        kept = visits(folder)
        with locked(folder):
            assert "locked" in robot.stderr.readline()
            code, complaint = end(robot)
    assert code == 1
    assert complaint.count("\n") == 1
    assert "end it, then start again; all that was saved is there" in complaint
    assert visits(folder) >= kept
    said(trapline("crawl", file, "--dir", folder, "--visits", 3, "--json"))


@pytest.mark.parametrize("wholly", [False, True], ids=["for writers", "for all"])
def test_a_lock_when_the_robot_starts(folder: Path, file: Path, wholly: bool) -> None:
    words = ("crawl", file, "--dir", folder, "--visits", 3, "--json")
    with ExitStack() as ends:
        with locked(folder, wholly=wholly):
            robot = ends.enter_context(started(*words))
            assert "another program has locked" in robot.stderr.readline()
        out, complaint = robot.communicate(60)
    assert (robot.wait(), complaint) == (0, "")
    assert json.loads(out)["visits"] == 3


@pytest.mark.parametrize(
    "words",
    [("status", "--json"), ("search", QUERY), ("export", "--jsonl", "--out", "-")],
)
def test_a_lock_while_others_read(folder: Path, words: tuple[str, ...]) -> None:
    with locked(folder):
        done = trapline(words[0], folder, *words[1:])
        assert (done.returncode, "locked" in done.stderr) == (0, False), "nobody waits"
    with ExitStack() as ends:
        with locked(folder, wholly=True):
            reader = ends.enter_context(started(words[0], folder, *words[1:]))
            line = reader.stderr.readline()
            assert "another program has locked" in line
            assert "waiting" in line
        out, _ = reader.communicate(60)
    assert reader.wait() == 0
    assert out


def take_away(index: Path) -> None:
    """At one stroke: Tantivy's short-lived files come and go while a folder is emptied."""
    index.rename(index.parent.parent / "taken away")


def damage(index: Path) -> None:
    """Other bytes in every file; as many as before, or the system would end whoever has mapped
    them.
    """
    for path in index.iterdir():
        # some of Tantivy's files live for a moment only
        with suppress(FileNotFoundError), path.open("r+b") as file:
            file.write(os.urandom(path.stat().st_size))


@pytest.mark.parametrize("harm", [take_away, damage], ids=["gone", "damaged"])
def test_the_index_while_the_robot_works(
    harm: object, folder: Path, file: Path
) -> None:
    assert callable(harm)
    with at_work(file, folder) as robot:
        before = visits(folder)
        wait_until(lambda: visits(folder) > before)
        harm(folder / "index")
        # Tantivy may panic over what it reads, and Rust tells of that before we can
        line = next(line for line in robot.stderr if line.startswith("trapline:"))
        assert "is missing or cannot be trusted: it is made anew from the store" in line
        wait_until((folder / "index" / "revision.json").exists)
        code, complaint = end(robot)
    assert (code, "trapline:" in complaint) == (0, False)
    assert said(trapline("search", folder, QUERY, "--json"))["hits"]


@pytest.mark.parametrize("harm", [take_away, damage], ids=["gone", "damaged"])
def test_the_index_while_it_is_served(harm: object, folder: Path) -> None:
    assert callable(harm)
    with WebServer(folder, bind(0)) as server:
        before = searched(server.url)
        harm(folder / "index")
        assert searched(server.url) == before


def searched(url: str) -> list[str]:
    address = f"{url}api/search?q=comet+orbit+telescope"
    with urllib.request.urlopen(address, timeout=60) as answer:
        return sorted(hit["url"] for hit in json.load(answer)["hits"])
