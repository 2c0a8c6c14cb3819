"""The change feed over real files and HTTP: nothing is lost by a kill, and nobody who listens holds
up the robot.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from lxml import etree
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.support.command import said, started, trapline
from tests.e2e.support.killing import visits
from tests.e2e.support.site import Site, html
from tests.e2e.test_watch import changing, lines, listed, settings
from trapline.app.web.server import WebServer, bind
from trapline.stores.sqlite.store import SqliteStore

PAGES = [f"/{i}" for i in range(6)]


def newest(folder: Path) -> int:
    store = SqliteStore(folder, read_only=True)
    try:
        return store.newest_diff()
    finally:
        store.close()


def test_killed_again_and_again(tmp_path: Path) -> None:
    """A file has every change exactly once; a receiver hears of every change, at least once."""
    folder = tmp_path / "w"
    file = tmp_path / "c.jsonl"
    with Site({page: html("A page", "first words") for page in PAGES}) as site:
        words = [
            "watch",
            listed(site, tmp_path / "list.txt", *PAGES),
            settings(site, tmp_path / "s.toml", "60/s"),
        ]
        words += [
            "--dir",
            folder,
            "--changes",
            file,
            "--changes",
            site.url("/hook?token=1"),
        ]
        with changing(site, PAGES, 0.15):
            for wait_s in (0.05, 0.4, 0.9):
                before = visits(folder)
                with started(*words) as running:
                    deadline = time.monotonic() + 60.0
                    while visits(folder) <= before and time.monotonic() < deadline:
                        time.sleep(0.02)
                    time.sleep(wait_s)
                    running.kill()
        # and the last line torn
        file.write_bytes(file.read_bytes()[:-7] if file.exists() else b"")
        done = trapline(*words, "--seconds", 1.5)
        assert done.returncode == 0, done.stderr
        count = newest(folder)
        assert count > 20
        assert [line["number"] for line in lines(file)] == list(range(1, count + 1))
        heard = [change["number"] for told in site.told for change in told["changes"]]
        assert set(heard) == set(range(1, count + 1))
        assert {told["engine"] for told in site.told} == {"w"}
        assert "token" not in (folder / "store.sqlite").read_bytes().decode(
            "latin-1"
        ), "no secret is written down"


def test_a_dead_receiver_holds_up_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    file = tmp_path / "c.jsonl"
    with Site(
        {page: html("A page", "first words") for page in PAGES}, hang_s=60.0
    ) as site:
        words = [
            "watch",
            listed(site, tmp_path / "list.txt", *PAGES),
            settings(site, tmp_path / "s.toml"),
        ]
        words += ["--dir", folder, "--changes", site.url("/token"), "--changes", file]
        began_s = time.monotonic()
        done = trapline(*words, "--seconds", 3)
        assert time.monotonic() - began_s < 55.0, "the robot ends all the same"
        assert sum(len(site.visits(page)) for page in PAGES) > 2 * len(PAGES)
        assert len(lines(file)) == len(PAGES)
        assert (
            "6 changes could not be told to http://127.0.0.1" in done.stderr
            and "token" not in done.stderr
        )
        site.hang_s = 0.0
        site.refuse = [500, 302]
        assert trapline(*words, "--seconds", 6).stderr.count("could not") == 0
        assert [
            change["number"] for told in site.told for change in told["changes"]
        ] == [1, 2, 3, 4, 5, 6]


def read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return bytes(answer.read())


def test_served_beside_the_robot(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    with Site({page: html("A page", "first words") for page in PAGES}) as site:
        words = [
            listed(site, tmp_path / "list.txt", *PAGES),
            settings(site, tmp_path / "s.toml"),
        ]
        trapline(
            "watch",
            *words,
            "--dir",
            folder,
            "--seconds",
            1.5,
            "--changes",
            tmp_path / "c.xml",
        )
        with started("watch", *words, "--dir", folder, "--changes", tmp_path / "c.xml"):
            deadline = time.monotonic() + 60.0
            before = visits(folder)
            while visits(folder) <= before and time.monotonic() < deadline:
                time.sleep(0.05)
            with WebServer(folder, bind(0)) as server:
                told = json.loads(read(server.url + "api/changes?after=4"))
                assert [change["number"] for change in told["changes"]] == [
                    5,
                    6,
                ] and told["engine"] == "w"
                feed = etree.fromstring(read(server.url + "changes.atom"))
                assert etree.tostring(feed) == etree.tostring(
                    etree.fromstring((tmp_path / "c.xml").read_bytes())
                )
                found = {
                    family.name: family.samples[0].value
                    for family in text_string_to_metric_families(
                        read(server.url + "metrics").decode()
                    )
                    if family.samples
                }
                assert found["trapline_pages_held"] == found["trapline_changes"] == 6.0
                assert (
                    found["trapline_changes_undelivered"] == 0.0
                    and found["trapline_robot_silence_seconds"] < 30.0
                )
                health = json.loads(read(server.url + "healthz"))
                assert health["status"] == "ok" and health["pages_held"] == 6
                with pytest.raises(urllib.error.HTTPError) as caught:
                    read(server.url + "api/changes?after=-1")
                assert caught.value.code == 422
                caught.value.close()
    assert said(trapline("status", folder, "--json"))["pages_held"] == 6
