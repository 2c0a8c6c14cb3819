"""Real crawls on loopback, each held back by something else: the robot says by what, and the log
says what it did.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.forks import Forked
from tests.e2e.support.site import Site, html
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.engine.build import open_engine
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.robot_state import robot_note
from trapline.app.folder.status import status_of
from trapline.app.folder.visit_log.log_reader import read_log
from trapline.app.settings import settings_from
from trapline.core.errors import FolderMissing
from trapline.robot.response.response_processor import ResponseProcessor

PAGES = 400


def many_pages() -> dict[str, str]:
    return {
        f"/{n}": html(f"page {n}", f"some words {n}", *(f"/{n + k}" for k in (1, 2, 3)))
        for n in range(PAGES)
    }


class BrokenSite(Site):
    """Its robots.txt answers 500."""

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        if request.path == "/robots.txt":
            self._send(request, 500, {}, b"")
        else:
            super().answer(request)


@contextmanager
def sites(count: int, robots: str = "", kind: type[Site] = Site) -> Iterator[list[str]]:
    """Homes of so many sites, each on an address of its own."""
    with ExitStack() as open_sites:
        yield [
            open_sites.enter_context(
                kind(many_pages(), robots, address=f"127.0.0.{number + 2}")
            ).url("/0")
            for number in range(count)
        ]


def host_name(home: str) -> str:
    return home.split("/")[2]


@contextmanager
def crawl(
    folder: Path, homes: list[str], *words: object, own: float | None = None
) -> Iterator[Forked]:
    settings = folder / "settings.toml"
    gaps = ", ".join(f'"{host_name(home)}" = {own}' for home in homes)
    manners = f"[manners]\nown = {{ {gaps} }}\n" if own is not None else ""
    settings.write_text(f"seeds = {json.dumps(homes)}\n{manners}")
    with started("crawl", settings, "--dir", folder / "engine", *words) as robot:
        yield robot
        robot.terminate()
        _, complaint = robot.communicate(timeout=60.0)
    assert robot.returncode == 0, complaint


def causes(folder: Path) -> dict[str, Any]:
    """What the robot last said that it is held back by."""
    try:
        store = open_for_reading(folder)
    except FolderMissing:
        return {}
    try:
        found: dict[str, Any] = robot_note(store).get("held_back", {})
        return found
    finally:
        store.close()


def wait_for(folder: Path, cause: str) -> str:
    wait_until(lambda: causes(folder).get("cause") == cause)
    return str(causes(folder)["line"])


def test_one_host_with_its_gap(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with sites(1) as homes, crawl(tmp_path, homes, "--budget", "50/s"):
        wait_for(folder, "gap")
        shown = trapline("status", folder).stdout
        why = trapline("why", folder, homes[0]).stdout
    for text in (shown, why):
        assert "held back by" in text
    assert "at work since" in shown
    plain = " ".join(shown.replace("│", " ").split())
    assert re.search(r"at most (1 visit|0\.\d+ visits) a second", plain), plain


def test_the_budget_of_many_hosts(tmp_path: Path) -> None:
    with (
        sites(12) as homes,
        crawl(tmp_path, homes, "--budget", "2/s", own=0.0),
    ):
        line = wait_for(tmp_path / "engine", "budget")
    assert "2 visits a second is used up" in line
    assert "a larger budget" in line


def test_a_crawl_delay(tmp_path: Path) -> None:
    with (
        sites(2, "User-agent: *\nCrawl-delay: 30\n") as homes,
        crawl(tmp_path, homes, "--budget", "50/s"),
    ):
        line = wait_for(tmp_path / "engine", "Crawl-delay")
    assert "Crawl-delay of 127.0.0." in line
    assert "30 s" in line


def test_a_robots_txt_that_does_not_answer(tmp_path: Path) -> None:
    with sites(2, kind=BrokenSite) as homes, crawl(tmp_path, homes):
        line = wait_for(tmp_path / "engine", "robots.txt")
        errors = said(trapline("status", tmp_path / "engine", "--json"))["lately"][
            "errors"
        ]
    assert "robots.txt of 127.0.0." in line
    assert errors[0]["reason"] == "500 Internal Server Error"
    assert errors[0]["url"].endswith("/robots.txt")


def test_a_robots_txt_that_forbids_everything(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with sites(1, "User-agent: *\nDisallow: /\n") as homes:
        with crawl(tmp_path, homes):
            line = wait_for(folder, "forbidden")
        ended = trapline("crawl", "--dir", folder, "--seconds", "1").stdout
    name = host_name(homes[0])
    assert f"robots.txt of {name} forbids 1 page there" in line
    assert f"Nothing is held yet. The robots.txt of {name} forbids" in ended
    assert said(trapline("host", folder, "--json"))[0]["state"] == (
        "robots.txt forbids all"
    )
    assert "robots.txt forbids all" in trapline("host", folder, name).stdout
    why = trapline("why", folder, homes[0]).stdout
    assert "robots.txt forbids all" in why
    assert "not offered for" not in why


class FailingSite(Site):
    """Its pages answer 500."""

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        if request.path == "/robots.txt":
            super().answer(request)
        else:
            self._send(request, 500, {}, b"")


def test_pages_that_failed(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with sites(1, kind=FailingSite) as homes, crawl(tmp_path, homes):
        line = wait_for(folder, "failed")
    assert "1 page that failed is tried again in" in line
    why = said(trapline("why", folder, homes[0], "--json"))
    assert why["age_s"] > 0.0
    assert "ago: failed (500)" in trapline("why", folder, homes[0]).stdout
    unknown = trapline("why", folder, "http://127.0.0.77/").stderr
    assert "never heard of" in unknown


def test_slow_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = ResponseProcessor.process

    def slow(self: ResponseProcessor, *parts: Any) -> Any:
        time.sleep(0.05)
        return process(self, *parts)

    monkeypatch.setattr(ResponseProcessor, "process", slow)
    seen: set[str] = set()
    with sites(8) as homes:
        values: dict[str, object] = {
            "seeds": homes,
            "budget": {"visits": "unlimited"},
            "manners": {"own": {host_name(home): 0.0 for home in homes}},
            "fetchers": {"most": 8, "queue_room": 2, "policy": "fixed"},
        }
        engine = open_engine(tmp_path / "engine", settings_from("test", values))
        warm_up("posterior", quiet=True)

        def show() -> None:
            if engine.held_back is not None:
                seen.add(str(engine.held_back.cause))
            if "reading" in seen:
                engine.stop()

        asyncio.run(crawl_until(engine, seconds=120.0, visits=None, show=show))
        engine.close()
    assert "reading" in seen


def test_a_paused_host(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with sites(1) as homes, crawl(tmp_path, homes, "--budget", "50/s"):
        wait_for(folder, "gap")
        trapline("host", folder, host_name(homes[0]), "--pause")
        line = wait_for(folder, "paused")
    assert "--resume" in line


def test_a_robot_that_was_killed_is_said_to_have_died(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with sites(1) as homes, ExitStack() as stack:
        settings = tmp_path / "s.toml"
        settings.write_text(f"seeds = {json.dumps(homes)}\n")
        robot = stack.enter_context(started("crawl", settings, "--dir", folder))
        wait_for(folder, "gap")
        robot.send_signal(signal.SIGKILL)
        robot.communicate(timeout=60.0)

    def state() -> str:
        store = open_for_reading(folder)
        try:
            return status_of(folder, store).robot_state
        finally:
            store.close()

    wait_until(lambda: state() == "died")
    shown = trapline("status", folder).stdout
    assert "died" in shown
    assert "no robot is at work" in shown
    assert "starved" not in shown


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A small site that was crawled to its end, and what was said of it by -v."""
    place = tmp_path_factory.mktemp("log")
    pages = {
        "/": html("home", "words of home", "/a", "/b", "/missing"),
        "/a": html("a", "words of a", "/b"),
        "/b": html("b", "words of b"),
    }
    with Site(pages) as site:
        settings = place / "s.toml"
        settings.write_text(
            f'seeds = ["{site.url("/")}"]\n[manners]\nown = {{ "{site.host}" = 0.0 }}\n'
        )
        ran = trapline(
            "crawl", settings, "--dir", place / "engine", "--visits", "8", "-v"
        )
        assert ran.returncode == 0, ran.stderr
        yield place / "engine", ran.stderr


def test_each_visit_is_a_line_of_the_log(done: tuple[Path, str]) -> None:
    lines = list(read_log(done[0]))
    assert lines[0]["event"] == "start"
    assert lines[-1]["event"] == "end"
    assert lines[-1]["visits"] == 8
    visits = [line for line in lines if line["event"] == "visit"]
    assert [visits[0]["kind"], visits[0]["purpose"]] == ["robots.txt", "robots.txt"]
    pages = [line for line in visits if line["kind"] == "page"]
    assert len(pages) == 8
    home = pages[0]
    assert home["url"].endswith("/")
    assert home["found"] == "new"
    assert home["purpose"] == "first visit"
    assert (home["status"], home["outcome"]) == (200, "ok")
    assert home["bytes"] > 50
    assert home["ms"] >= 0
    assert (home["links"], home["new_pages"]) == (3, 3)
    assert home["rank"] == 1
    assert home["news"] > 0.0
    missing = next(line for line in pages if line["url"].endswith("/missing"))
    assert (missing["found"], missing["status"]) == ("gone", 404)
    again = [line for line in pages if line["purpose"] == "again"]
    assert again
    assert {line["found"] for line in again} <= {"unchanged", "changed"}


def test_verbose_prints_the_same_for_people(done: tuple[Path, str]) -> None:
    folder, printed = done
    shown = [line for line in printed.splitlines() if "  new  " in line]
    assert len(shown) == 3
    none = trapline("log", folder, "--host", "nosuch.org")
    assert (none.returncode, none.stdout) == (0, "")
    assert "the host nosuch.org is not known here" in none.stderr
    log = trapline("log", folder).stdout.splitlines()
    assert shown[0] in log


def test_the_log_is_filtered(done: tuple[Path, str]) -> None:
    folder = done[0]
    for word in ("404", "4xx", "error"):
        [line] = trapline("log", folder, "--status", word).stdout.splitlines()
        assert "/missing" in line
    assert trapline("log", folder, "--host", "other.org").stdout == ""
    named = trapline("log", folder, "--host", "127.0.0.1", "--json").stdout
    assert len(named.splitlines()) == 9
    everything = trapline("log", folder, "--since", "1d").stdout
    assert everything == trapline("log", folder).stdout
    assert trapline("log", folder, "--since", "2100-01-01").stdout == ""


def test_a_first_visit_is_new_everywhere(done: tuple[Path, str]) -> None:
    folder = done[0]
    recent = said(trapline("status", folder, "--json"))["recent"]
    found = {(one["found"], one["outcome"]) for one in recent}
    assert ("new", "ok") in found
    assert ("changed", "ok") not in found
    store = open_for_reading(folder)
    home = store.url(0)
    store.close()
    line = said(trapline("why", folder, home, "--json"))["time_line"]
    assert line["visits"][0]["found"] == "new"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--since", "soon"), "10min"),
        (("--status", "bad"), "4xx"),
    ],
)
def test_mistakes_are_one_line(
    done: tuple[Path, str], words: tuple[str, ...], hint: str
) -> None:
    ran = trapline("log", done[0], *words)
    assert ran.returncode == 2
    assert hint in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_log_is_followed_until_ctrl_c(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with sites(1) as homes, crawl(tmp_path, homes):
        wait_for(folder, "gap")
        with started("log", folder, "--follow", "--json") as following:
            lines = [json.loads(following.stdout.readline()) for _ in range(6)]
            following.send_signal(signal.SIGINT)
            _, complaint = following.communicate(timeout=60.0)
    assert following.returncode == 0, complaint
    assert not complaint
    assert lines[0]["event"] == "start"
    assert lines[-1]["event"] == "visit"


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    with Site({"/": html("home", "words")}) as site:
        folder = tmp_path / "engine"
        words = ("--visits", "1", "--quiet")
        ran = trapline("crawl", site.url("/"), "--dir", folder, *words)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert list(read_log(folder))[-1]["visits"] == 1


def test_a_log_that_cannot_be_written_does_not_end_the_crawl(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with Site({"/": html("home", "words")}) as site:
        words = ("crawl", site.url("/"), "--dir", folder, "--visits", "1")
        assert trapline(*words).returncode == 0
        (folder / "log.jsonl").unlink()
        (folder / "log.jsonl").mkdir()
        ran = trapline(*words)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("the log cannot be written") == 1
