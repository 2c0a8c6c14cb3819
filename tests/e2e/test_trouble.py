"""Folders in trouble, as a user meets them: one clear line, nothing harmed, and on it goes when the
trouble is over.
"""

from __future__ import annotations

import json
import random
import shlex
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.e2e.support.command import (
    PROGRAM,
    TRAPLINE,
    crumbs,
    ran,
    said,
    started,
    trapline,
)
from tests.e2e.test_crawl import own_settings
from trapline.app.demo.practice_web import PracticeWeb
from trapline.core.records import Visit
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.stores.sqlite.store import SqliteStore

WORLD = LinkedWeb.generate(
    60, 2, "space", 2, Shape(gap_s=0.1, change_every_s=(1.0, 20.0))
)
QUERY = "comet orbit telescope"


@pytest.fixture(scope="module")
def web() -> Iterator[PracticeWeb]:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        yield web


@pytest.fixture(scope="module")
def file(web: PracticeWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_settings(web, tmp_path_factory.mktemp("settings") / "topic.toml")


@pytest.fixture(scope="module")
def crawled(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something in it, to be copied."""
    folder = tmp_path_factory.mktemp("crawled") / "engine"
    said(trapline("crawl", file, "--dir", folder, "--visits", 25, "--json"))
    return folder


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "engine"))


def one_line(done: subprocess.CompletedProcess[str], code: int, *hints: str) -> None:
    assert done.returncode == code, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert all(hint in done.stderr for hint in hints), done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def visits_in(folder: Path) -> list[Visit]:
    store = SqliteStore(folder, read_only=True)
    found = list(store.history())
    store.close()
    return found


def answers(folder: Path) -> list[tuple[str, str]]:
    found = said(trapline("search", folder, QUERY, "--json"))
    return sorted((hit["url"], hit["title"]) for hit in found["hits"])


# No room


def with_files_up_to(size: int, *words: object) -> subprocess.CompletedProcess[str]:
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    return ran(f"import resource; {limit}; {PROGRAM}", *words)


@pytest.mark.parametrize("size", [4_000, 60_000], ids=["the store", "a commit"])
def test_no_room_for(size: int, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    one_line(
        with_files_up_to(size, "crawl", file, "--dir", folder, "--json"),
        1,
        "is full",
        "make room",
        str(folder),
    )
    assert not list(folder.glob("*.unfinished"))
    assert (
        said(trapline("crawl", file, "--dir", folder, "--visits", 3, "--json"))[
            "pages_held"
        ]
        == 3
    )


def test_no_room_to_go_on(folder: Path, file: Path) -> None:
    """A checkpoint is the largest file, so it is the first that does not fit."""
    before = visits_in(folder)
    kept = contents(folder)
    one_line(
        with_files_up_to(100_000, "crawl", file, "--dir", folder, "--json"),
        1,
        "is full",
        "make room",
    )
    assert visits_in(folder)[: len(before)] == before
    checkpoints = [name for name in kept if name.startswith("checkpoint")]
    assert {name: contents(folder)[name] for name in checkpoints} == {
        name: kept[name] for name in checkpoints
    }
    assert (
        said(trapline("crawl", file, "--dir", folder, "--visits", 3, "--json"))[
            "pages_held"
        ]
        >= 25
    )


@cache
def may_mount() -> bool:
    """In a name space of one's own, where nobody else sees it."""
    try:
        tried = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        return (
            subprocess.run(
                tried, capture_output=True, check=False, timeout=10
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def in_own_name_space(*lines: str) -> subprocess.CompletedProcess[str]:
    command = ["unshare", "-rm", "sh", "-ec", "\n".join(lines)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False
    )


def spelt(*words: object) -> str:
    return shlex.join([*TRAPLINE, *map(str, words)])


def test_a_disk_that_fills_while_the_robot_works(file: Path, tmp_path: Path) -> None:
    if not may_mount():
        pytest.skip("no small disk can be had here")
    disk = tmp_path / "disk"
    disk.mkdir()
    folder = disk / "engine"
    done = in_own_name_space(
        f"mount -t tmpfs -o size=1600k tmpfs {disk}",
        f"{spelt('crawl', file, '--dir', folder, '--seconds', 600, '--json')} || echo '\"exit "
        "code '$?'\"'",
        spelt("status", folder, "--json"),
        f"mount -o remount,size=30m {disk}",
        spelt("crawl", file, "--dir", folder, "--visits", 3, "--json"),
    )
    assert done.returncode == 0, done.stderr
    # whether the store or the log meets the end of the disk first is chance
    lines = done.stderr.splitlines()
    assert any("is full: make room" in line for line in lines), done.stderr
    assert "Traceback" not in done.stderr
    code, status, again = map(json.loads, done.stdout.splitlines())
    assert code == "exit code 1"
    assert status["pages_held"] > 5
    assert again["pages_held"] >= status["pages_held"]


# Nothing may be written


@pytest.mark.parametrize("folder", ["/proc/nowhere/engine", "/dev/null"])
def test_a_folder_that_cannot_be(folder: str, file: Path) -> None:
    one_line(
        trapline("crawl", file, "--dir", folder, "--json"),
        2,
        f"cannot write into {folder}",
        "another --dir",
    )


def test_a_disk_that_is_read_only(folder: Path, file: Path) -> None:
    if not may_mount():
        pytest.skip("no read-only disk can be had here")
    before = contents(folder)
    mounts = (f"mount --bind {folder} {folder}", f"mount -o remount,ro,bind {folder}")
    one_line(
        in_own_name_space(*mounts, spelt("crawl", file, "--dir", folder)),
        2,
        "Read-only file system",
    )
    found = in_own_name_space(
        *mounts,
        spelt("search", folder, QUERY, "--json"),
        spelt("status", folder, "--json"),
    )
    hits, status = map(json.loads, found.stdout.splitlines())
    assert hits["hits"], "what can be read is read"
    assert status["pages_held"] == 25
    assert contents(folder) == before


# Another's, or damaged


def test_a_store_of_a_newer_version(folder: Path, file: Path) -> None:
    connection = apsw.Connection(str(folder / "store.sqlite"))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = contents(folder)
    one_line(trapline("crawl", file, "--dir", folder), 2, "newer Trapline", "upgrade")
    one_line(trapline("search", folder, QUERY), 2, "newer Trapline", "upgrade")
    assert contents(folder) == before


def test_a_store_that_is_damaged(folder: Path, file: Path) -> None:
    path = folder / "store.sqlite"
    data = bytearray(path.read_bytes())
    data[4096 : 4096 + 2000] = random.Random(1).randbytes(2000)
    path.write_bytes(bytes(data))
    before = contents(folder)
    one_line(
        trapline("crawl", file, "--dir", folder),
        1,
        "cannot be trusted",
        "left untouched",
        "restore",
    )
    after = contents(folder)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("damage", ["cut short", "gone"])
def test_the_newest_checkpoint_is(damage: str, folder: Path, file: Path) -> None:
    [path] = folder.glob("checkpoint-*.npz")
    path.write_bytes(path.read_bytes()[:-100])
    if damage == "gone":
        path.unlink()
    before = visits_in(folder)
    done = trapline("crawl", file, "--dir", folder, "--visits", 3, "--json")
    one_line(done, 0, "missing or damaged", "learning from 25 visits", "lost are")
    assert visits_in(folder)[: len(before)] == before
    assert json.loads(done.stdout)["pages_held"] >= 25, "all of them are known"
    again = trapline("crawl", file, "--dir", folder, "--visits", 1, "--json")
    assert (again.returncode, again.stderr) == (0, ""), "there is a new checkpoint"


def test_a_damaged_index_is_made_anew_and_the_robot_says_so(
    folder: Path, file: Path
) -> None:
    before = answers(folder)
    assert before
    for path in (folder / "index").glob("*.store"):
        data = bytearray(path.read_bytes())
        data[len(data) // 3] ^= 0x10
        path.write_bytes(bytes(data))
    # A visit to a page that is held already brings no new answer.
    done = trapline("crawl", file, "--dir", folder, "--seconds", 0.1, "--json")
    one_line(done, 0, "cannot be trusted", "made anew")
    assert set(before) <= set(answers(folder))


# Two at once


def test_a_second_robot_refuses_and_lookers_on_are_welcome(
    folder: Path, file: Path
) -> None:
    with started("crawl", file, "--dir", folder, "--json") as first:
        begun = len(visits_in(folder))
        wait_for_more_visits(folder, begun)
        one_line(
            trapline("crawl", file, "--dir", folder, "--json"),
            2,
            "another robot",
            "another --dir",
        )
        assert said(trapline("status", folder, "--json"))["visits"] > 0
        assert answers(folder)
        assert served(folder)["pages_held"] >= 25
        wait_for_more_visits(folder, len(visits_in(folder)))
        assert first.poll() is None, "the first one works on"
        first.send_signal(signal.SIGTERM)
        spoken, complaint = first.communicate(timeout=30)
    assert (first.returncode, complaint) == (0, "")
    assert json.loads(spoken)["visits"] > 0
    assert "lock" in crumbs(folder)


def wait_for_more_visits(folder: Path, than: int) -> None:
    deadline_s = time.monotonic() + 60.0
    while len(visits_in(folder)) <= than and time.monotonic() < deadline_s:
        time.sleep(0.05)


def served(folder: Path) -> dict[str, Any]:
    """What `serve` says of the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with started("serve", folder, "--port", port) as server:
        assert server.stdout
        assert str(port) in server.stdout.readline()
        with urllib.request.urlopen(
            f"http://127.0.0.1:{port}/api/status", timeout=30
        ) as answer:
            found: dict[str, Any] = json.load(answer)
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    return found
