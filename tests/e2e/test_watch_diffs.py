"""What `watch` tells of a page that changes, fails and comes back, everywhere it is told."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from lxml import etree

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.site import Site, html
from tests.e2e.test_watch import lines, listed, settings
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.engine import background
from trapline.app.engine.build import open_engine
from trapline.app.folder.orders.order_file import VISIT, give_order
from trapline.app.output.changes import lines_after
from trapline.app.settings import settings_from
from trapline.politeness import robots_txt

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def shop(price: int, *more: str) -> str:
    rows = "".join(f"<p>{line}</p>" for line in ("Open every day of the week.", *more))
    text = f"The telescope costs {price} euros today."
    return html("The shop", f"{text}</p>{rows}<p>Come and see us in the old town.")


def told_in(path: Path) -> list[dict[str, Any]]:
    return lines(path) if path.exists() else []


def test_a_page_that_changes_twice(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    file = tmp_path / "c.jsonl"
    feed = tmp_path / "c.atom"
    with Site({"/shop": shop(120)}) as site:
        page = site.url("/shop")
        toml = settings(site, tmp_path / "s.toml", "20/s")
        pages = listed(site, tmp_path / "list.txt", "/shop")
        words = ["watch", pages, toml, "--dir", folder]
        words += ["--changes", file, "--changes", feed, "--changes", site.url("/hook")]
        with started(*words) as robot:
            wait_until(lambda: len(told_in(file)) == 1)
            site.pages["/shop"] = shop(140)
            wait_until(lambda: len(told_in(file)) == 2)
            robot.kill()
        site.pages["/shop"] = shop(140, "Now with <b>free</b> maps &amp; charts.")
        with started(*words) as robot:
            wait_until(lambda: len(told_in(file)) == 3)
            wait_until(lambda: b"ins" in feed.read_bytes() and len(site.told) >= 3)
            robot.kill()
        again = trapline(*words, "--visits", 3)
        assert again.returncode == 0 and "changed" not in again.stdout
        told = told_in(file)
        assert [(line["number"], line["turn"]) for line in told] == [
            (1, "new"),
            (2, "changed"),
            (3, "changed"),
        ], "a kill tells nothing twice"
        assert [line["diff"] for line in told] == [
            [],
            [
                "- The telescope costs 120 euros today.",
                "+ The telescope costs 140 euros today.",
            ],
            ["+ Now with free maps & charts."],
        ]
        assert {line["name"] for line in told} == {"the page /shop"}
        heard = [change for post in site.told for change in post["changes"]]
        assert {c["number"]: c["diff"] for c in heard} == {
            line["number"]: line["diff"] for line in told
        }
        entries = etree.fromstring(feed.read_bytes()).findall("a:entry", ATOM)
        contents = [entry.findtext("a:content", "", ATOM) for entry in entries]
        assert "<ins>Now with free maps &amp; charts.</ins>" in contents[0]
        assert "costs<del> 120</del> euros" in contents[1] and contents[2] == ""

        found = said(trapline("diff", folder, page, "--json"))
        assert (found["from"]["number"], found["to"]["number"]) == (2, 3)
        assert found["diff"] == told[2]["diff"] and found["name"] == "the page /shop"
        both = trapline("diff", folder, page, "--from", 1, "--to", "0s").stdout
        assert both.splitlines()[-3:] == [
            "- The telescope costs 120 euros today.",
            "+ The telescope costs 140 euros today.",
            "+ Now with free maps & charts.",
        ]
        kept = said(trapline("diff", folder, page, "--list", "--json"))["versions"]
        assert [version["number"] for version in kept] == [1, 2, 3]
        assert [v["at_s"] for v in kept] == [line["at_s"] for line in told]
        for wrong, hint in (
            ([page, "--from", 9], "there is no version 9"),
            ([page, "--to", "soon"], "an age like 2d"),
            ([site.url("/unheard-of")], "has never heard of"),
        ):
            done = trapline("diff", folder, *wrong)
            assert done.returncode == 2 and hint in done.stderr
            assert done.stderr.count("\n") == 1 and done.stdout == ""
        trapline("forget", folder, page)
        done = trapline("diff", folder, page)
        assert done.returncode == 2 and "nothing is kept" in done.stderr


def test_a_change_is_printed_with_its_diff(tmp_path: Path) -> None:
    with Site({"/shop": shop(120)}) as site:
        toml = settings(site, tmp_path / "s.toml", "20/s")
        words = ["watch", site.url("/shop"), toml, "--dir", tmp_path / "w"]
        first = trapline(*words, "--visits", 1)
        assert "  new      http://127.0.0.1" in first.stdout
        site.pages["/shop"] = shop(99)
        second = trapline(*words, "--visits", 2)
        assert second.stdout.splitlines()[1:] == [
            "    - The telescope costs 120 euros today.",
            "    + The telescope costs 99 euros today.",
        ]


def test_errors_are_told_when_they_begin_and_when_they_end(tmp_path: Path) -> None:
    """Each run is a robot of its own, as from cron; an order makes it visit at once."""
    folder = tmp_path / "w"
    with Site({"/a": html("A", "all about a"), "/b": html("B", "much of b")}) as site:
        toml = settings(site, tmp_path / "s.toml", "50/s")

        def watch() -> list[tuple[str, str, str]]:
            for path in ("/a", "/b"):
                give_order(folder, VISIT, site.url(path))
            before = {path: len(site.visits(path)) for path in ("/a", "/b")}
            words = ["watch", site.url("/a"), site.url("/b"), toml, "--dir", folder]
            done = trapline(*words, "--visits", 2, "--json")
            assert done.returncode == 0, done.stderr
            assert all(len(site.visits(path)) > before[path] for path in before)
            told = map(json.loads, done.stdout.splitlines())
            return [(t["turn"], t["url"].rpartition("/")[2], t["remark"]) for t in told]

        folder.mkdir()
        assert sorted(watch()) == [("new", "a", ""), ("new", "b", "")]
        site.failing = {"/a": 404, "/b": 500}
        assert watch() == [("failing", "a", "404 Not Found")]
        assert watch() == [("failing", "b", "500 Internal Server Error")]
        assert watch() == [], "nothing is told twice"
        site.failing.clear()
        assert sorted(watch()) == [
            ("back", "a", "404 Not Found"),
            ("back", "b", "500 Internal Server Error"),
        ]
        assert watch() == []


class Names(AbstractResolver):
    """Knows all names, or none."""

    gone = False
    asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked += 1
        if self.gone:
            raise OSError("no such name")
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=port,
                family=socket.AF_INET,
                proto=0,
                flags=0,
            )
        ]

    async def close(self) -> None:
        pass


def test_a_name_that_is_gone_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "LOCATE_EVERY_S", 0.2)
    warm_up("auto", True, "breadth-first")
    names = Names()
    names.gone = True
    with Site({"/": html("Here", "a page"), "/there": html("There", "one")}) as site:
        host = f"lost.example:{site.host.partition(':')[2]}"
        values: dict[str, object] = {
            "seeds": [site.url(), f"http://{host}/there"],
            "manners": {"own": {host: 0.1, site.host: 0.1}, "contact": "me@lab.org"},
            "discovery": {"policy": "breadth-first", "follow": False},
        }
        engine = open_engine(
            tmp_path / "w", settings_from("test", values), resolver=names
        )

        def look() -> None:
            turns = [line.turn for line in lines_after(engine.store, 0)]
            if "failing" in turns:
                names.gone = False
            if "back" in turns:
                engine.stop()

        try:
            asyncio.run(crawl_until(engine, seconds=60.0, visits=None, show=look))
            found = lines_after(engine.store, 0)
        finally:
            engine.close()
    told = [line for line in found if line.url.endswith("/there")]
    assert [line.turn for line in told] == ["failing", "new", "back"]
    assert "cannot be resolved" in told[0].remark == told[2].remark


def test_a_page_that_robots_txt_forbids_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules are read again when they are old: here, after a second."""
    monkeypatch.setattr(robots_txt, "VALID_S", 1.0)
    warm_up("auto", True, "breadth-first")
    closed = "User-agent: *\nDisallow: /private"
    pages = {path: html(path, f"what {path} says") for path in ("/open", "/private")}
    with Site(pages, robots=closed) as site:
        values: dict[str, object] = {
            "seeds": [site.url("/open"), site.url("/private")],
            "manners": {"own": {site.host: 0.05}},
            "discovery": {"policy": "breadth-first", "follow": False},
        }
        engine = open_engine(tmp_path / "w", settings_from("test", values))

        def look() -> None:
            turns = [line.turn for line in lines_after(engine.store, 0)]
            if "failing" in turns and len(site.visits("/robots.txt")) > 2:
                site.robots = "User-agent: *\nDisallow:"
            if "back" in turns:
                engine.stop()

        try:
            asyncio.run(crawl_until(engine, seconds=60.0, visits=None, show=look))
            found = lines_after(engine.store, 0)
        finally:
            engine.close()
    told = [line for line in found if line.url.endswith("/private")]
    assert [line.turn for line in told] == ["failing", "new", "back"]
    assert told[0].remark == "robots.txt forbids it"


def test_a_page_that_is_missing_is_told_once_whatever_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    file = tmp_path / "c.jsonl"
    with Site({"/there": html("There", "a page")}) as site:
        toml = settings(site, tmp_path / "s.toml", "20/s")
        pages = listed(site, tmp_path / "list.txt", "/there", "/missing")
        words = ["watch", pages, toml, "--dir", folder, "--changes", file]

        def watch(times: int, changes: int) -> None:
            """Until the page was asked for so often, and so much was told; then kill it."""
            with started(*words) as robot:
                wait_until(lambda: len(site.visits("/missing")) >= times)
                wait_until(lambda: len(told_in(file)) >= changes)
                robot.kill()
            give_order(folder, VISIT, site.url("/missing"))

        watch(times=1, changes=2)
        watch(times=2, changes=2)
        site.pages["/missing"] = html("Here now", "it was missing")
        watch(times=3, changes=4)
    told = [line for line in told_in(file) if line["url"].endswith("/missing")]
    assert [(line["turn"], line["remark"]) for line in told] == [
        ("failing", "404 Not Found"),
        ("new", ""),
        ("back", "404 Not Found"),
    ]


def test_a_page_that_is_listed_later_is_judged_by_rules_known_before(
    tmp_path: Path,
) -> None:
    file = tmp_path / "c.jsonl"
    pages = tmp_path / "list.txt"
    with Site({"/open": html("Open", "a page")}, "User-agent: *\nDisallow: /p") as site:
        toml = settings(site, tmp_path / "s.toml", "20/s")
        listed(site, pages, "/open")
        with started(
            "watch", pages, toml, "--dir", tmp_path / "w", "--changes", file
        ) as robot:
            wait_until(lambda: len(told_in(file)) == 1)
            listed(site, pages, "/open", "/private")
            wait_until(lambda: len(told_in(file)) == 2)
            robot.kill()
    told = told_in(file)[1]
    assert (told["turn"], told["remark"]) == ("failing", "robots.txt forbids it")
    assert told["url"].endswith("/private") and told["name"] == "the page /private"
