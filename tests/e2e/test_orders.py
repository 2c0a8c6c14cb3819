"""`host`, `forget` and `crawl --dry-run`, as a user gives them: to a robot at work, and to a folder
at rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.e2e.support.command import crumbs, said, started, trapline, wait_until
from tests.e2e.test_crawl import own_settings
from trapline.app.demo.practice_web import PracticeWeb
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

WORLD = LinkedWeb.generate(
    80, 3, "space", 2, Shape(gap_s=0.1, born_share=0.0, dies_share=0.0)
)


def facts(folder: Path, host: str, *words: str) -> dict[str, Any]:
    [found] = said(trapline("host", folder, host, *words, "--json"))
    assert isinstance(found, dict)
    return found


def test_a_host_is_paused_while_the_robot_works_and_forgotten_afterwards(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "engine"
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        file = own_settings(web, tmp_path / "topic.toml")
        said(trapline("crawl", file, "--dir", folder, "--visits", 60, "--json"))
        host = web.host_names()[0]
        assert facts(folder, host)["pages_held"] > 3
        with started("crawl", file, "--dir", folder, "--json") as robot:
            before = web.requests()
            wait_until(lambda: web.requests() >= before + 5)
            assert facts(folder, host, "--pause")["paused"]
            silence = Silence(web)
            # it looks for orders every two seconds
            wait_until(lambda: silence.lasts(20))
            count = len(web.arrivals(0))
            others = web.requests()
            # the robot goes on elsewhere
            wait_until(lambda: web.requests() > others + 40)
            assert len(web.arrivals(0)) == count, "no visit while it is paused"
            robot.terminate()
            robot.communicate()
        assert (
            trapline("host", folder, host, "--resume", "--share", "5%").stdout.count(
                "at most 0.05"
            )
            == 1
        )
        assert pages_that_name_others(folder, host) > 0
        page = web.home(1)
        forgotten = trapline("forget", folder, page)
        assert forgotten.returncode == 0, forgotten.stderr
        assert trapline("forget", folder, host).stdout == f"{host} is forgotten.\n"
        assert facts(folder, host)["pages_held"] == 0
        assert pages_that_name_others(folder, host) == 0
        assert not [
            hit
            for hit in said(
                trapline("search", folder, "space", "--limit", 100, "--json")
            )["hits"]
            if host in hit["url"] or hit["url"] == page
        ]
        count = len(web.arrivals(0))
        home = visits_home(web)
        said(trapline("crawl", file, "--dir", folder, "--visits", 40, "--json"))
        assert len(web.arrivals(0)) == count
        assert visits_home(web) == home, "nor is the page visited again"
        assert trapline("forget", folder, page, "--undo").returncode == 0
        said(trapline("crawl", file, "--dir", folder, "--visits", 40, "--json"))
        assert visits_home(web) > home
        assert len(web.arrivals(0)) == count
        assert web.gap_violations() == 0


class Silence:
    """While the first host is not visited, and others are."""

    def __init__(self, web: PracticeWeb) -> None:
        self._web = web
        self._heard = -1
        self._since = 0

    def lasts(self, requests: int) -> bool:
        """Whether others have had so many requests since the first host had one."""
        heard = len(self._web.arrivals(0))
        if heard != self._heard:
            self._heard = heard
            self._since = self._web.requests()
        return self._web.requests() >= self._since + requests


def pages_that_name_others(folder: Path, host: str) -> int:
    sql = (
        "SELECT count(*) FROM link_sources JOIN urls USING (page)"
        " JOIN hosts USING (host) WHERE name = ?"
    )
    connection = apsw.Connection(str(folder / "store.sqlite"))
    try:
        return int(connection.execute(sql, (host,)).get)
    finally:
        connection.close()


def visits_home(web: PracticeWeb) -> int:
    return sum(arrival.path == "/" for arrival in web.arrivals(1))


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["host", "{}", "nowhere.org"], "never heard of the host nowhere.org"),
        (["host", "{}", "127.0.0.1", "--share", "0%"], "like 5%"),
        (["host", "{}", "127.0.0.1", "--share", "much"], "like 5%"),
        (["host", "{}", "127.0.0.1", "--pause", "--resume"], "not both"),
        (["host", "{}/missing", "127.0.0.1"], "no engine"),
        (["forget", "{}", "http://127.0.0.1:3/never"], "never heard of"),
        (["forget", "{}", "nowhere.org"], "never heard of the host"),
    ],
)
def test_mistakes_are_one_line(words: list[str], hint: str, at_rest: Path) -> None:
    done = trapline(*(word.format(at_rest) for word in words))
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (at_rest / "orders.jsonl").exists()


@pytest.fixture(scope="module")
def at_rest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("at_rest")
    trapline("crawl", "http://127.0.0.1:3/", "--dir", folder, "--seconds", 0.5)
    return folder


def test_a_dry_run_asks_nobody_and_writes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        file = own_settings(web, tmp_path / "topic.toml")
        plan = said(trapline("crawl", file, "--dir", folder, "--dry-run", "--json"))
        assert plan["visits"][0]["url"] == web.home(0) + "robots.txt"
        assert (plan["resumes"], plan["topic"], plan["budget_per_s"]) == (
            False,
            "space",
            50.0,
        )
        assert crumbs(folder) == []
        assert web.requests() == 0
        said(trapline("crawl", file, "--dir", folder, "--visits", 30, "--json"))
        requests = web.requests()
        before = written(folder)
        plan = said(trapline("crawl", file, "--dir", folder, "--dry-run", "--json"))
        assert plan["resumes"]
        assert len(plan["visits"]) == 10
        assert all("price" in visit["why"] for visit in plan["visits"])
        told = trapline("crawl", file, "--dir", folder, "--dry-run").stdout
        assert "nothing is fetched" in told
        assert "visit 10" in told
        assert (web.requests(), written(folder)) == (requests, before)


def written(folder: Path) -> dict[str, bytes]:
    """What lies in a folder; a reader of SQLite leaves empty files of its own."""
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "sqlite-" not in path.name
    }
