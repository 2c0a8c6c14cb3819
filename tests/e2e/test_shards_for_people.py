"""What people do with a crawl in shards: every command takes its folder, or the address of its
store, and nobody need know which page is in which shard.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from tests.e2e.support.command import PROGRAM, free_port, ran, said, wait_until
from tests.e2e.support.forks import Forked
from tests.e2e.support.shard_sites import PAGES, TOPICS, crawl_sites, four_sites
from tests.e2e.support.site import Site
from tests.postgres_server import fresh_address
from trapline.postgres.password_hiding import hide_password

FORMS = ("folder", "address")


def read(url: str, path: str) -> str:
    with urlopen(url + path.lstrip("/"), timeout=60.0) as answer:
        return str(answer.read().decode())


def get(url: str, path: str) -> Any:
    return json.loads(read(url, path))


@dataclass(frozen=True, slots=True)
class Crawled:
    place: str  # as people name it
    shown: str
    folder: Path
    sites: list[Site]
    caches: Path
    again: tuple[object, ...]  # the words that crawl goes on with

    @property
    def program(self) -> str:
        set_caches = f"import os; os.environ['XDG_CACHE_HOME'] = {str(self.caches)!r}"
        return f"{set_caches}; {PROGRAM}"

    def do(self, command: str, *words: object) -> subprocess.CompletedProcess[str]:
        return ran(self.program, command, self.place, *words)

    def ask(self, command: str, *words: object) -> Any:
        return said(self.do(command, *words, "--json"))

    def page(self, site: int, number: int) -> str:
        return self.sites[site].url(f"/{number}")


@contextmanager
def server_of(crawled: Crawled) -> Iterator[str]:
    """Its URL, while it runs."""
    words = ["serve", crawled.place, "--port", str(free_port()), "--json"]
    with Forked(crawled.program, words) as running:
        url = str(json.loads(running.stdout.readline())["url"])
        yield url if url.endswith("/") else f"{url}/"


@pytest.fixture(scope="module", params=FORMS)
def crawled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Crawled]:
    room = tmp_path_factory.mktemp(str(request.param))
    folder = room / "engine"
    where: tuple[object, ...] = ("--dir", folder)
    place = str(folder)
    if request.param == "address":
        place = fresh_address()
        where = (*where, "--store", place)
    with four_sites() as sites:
        crawl_sites(sites, room / "settings.toml", *where)
        shown = hide_password(place) if request.param == "address" else place
        yield Crawled(place, shown, folder, sites, room / "caches", where)


def test_status_has_sums_and_shards(crawled: Crawled) -> None:
    found = crawled.ask("status")
    assert found["folder"] == crawled.shown
    assert found["hosts"] == len(crawled.sites)
    assert found["pages_held"] == PAGES * len(crawled.sites)
    assert found["robot_state"] == "ended"
    assert [row["shard"] for row in found["shards"]] == [0, 1]
    assert all(row["checkpoint_age_s"] is not None for row in found["shards"])
    assert {row["epoch"] for row in found["shards"]} == {1}
    text = crawled.do("status").stdout
    assert "0 of 2 at work" in text
    assert crawled.shown in text


def test_both_shards_hold_something_and_one_search_finds_it(crawled: Crawled) -> None:
    held = [row["held"] for row in crawled.ask("status")["shards"]]
    assert sum(held) == PAGES * len(crawled.sites)
    assert min(held) > 0
    for number, topic in enumerate(TOPICS):
        found = crawled.ask("search", topic)
        assert found["total"] >= PAGES - 1
        assert {hit["url"].split("/")[2] for hit in found["hits"]} == {
            crawled.sites[number].host
        }


def test_why_names_the_shard_of_a_page(crawled: Crawled) -> None:
    shards = set()
    for number in range(len(crawled.sites)):
        reasons = crawled.ask("why", crawled.page(number, 1))
        assert reasons["state"] == "held"
        assert reasons["time_line"]["visits"]
        assert reasons["shard"]["rate_per_s"] is not None
        shards.add(reasons["shard"]["shard"])
    assert shards == {0, 1}
    assert re.search(
        r"shard\s+│ \d, run by nobody", crawled.do("why", crawled.page(0, 1)).stdout
    )
    unknown = crawled.do("why", crawled.sites[0].url("/nowhere"))
    assert unknown.returncode == 2
    assert crawled.shown in unknown.stderr


def test_hosts_of_all_shards_are_one_list(crawled: Crawled) -> None:
    lines = crawled.ask("host")
    names = [line["host"] for line in lines]
    assert sorted(names) == sorted(site.host for site in crawled.sites)
    visits = [line["visits"] for line in lines]
    assert visits == sorted(visits, reverse=True)


def test_export_writes_the_documents_of_all_shards(
    crawled: Crawled, tmp_path: Path
) -> None:
    out = tmp_path / "documents.jsonl"
    assert crawled.do("export", "--jsonl", "--out", out).returncode == 0
    urls = [json.loads(line)["url"] for line in out.read_text().splitlines()]
    assert len(urls) == len(set(urls)) == PAGES * len(crawled.sites)


def test_what_is_forgotten_is_gone_at_once_and_not_visited_again(
    crawled: Crawled,
) -> None:
    """No worker is there: the shard is written by whoever says so."""
    page = crawled.page(1, 2)
    crawled.ask("forget", page)
    urls = [hit["url"] for hit in crawled.ask("search", TOPICS[1])["hits"]]
    assert page not in urls
    assert crawled.page(1, 1) in urls
    crawled.ask("forget", page, "--undo")


def test_orders_and_labels_reach_the_workers_of_the_next_run(
    crawled: Crawled,
) -> None:
    paused = crawled.sites[2]
    crawled.ask("host", paused.host, "--pause")
    crawled.ask("label", crawled.page(3, 1), "no")
    facts = crawled.ask("host", paused.host)
    assert facts[0]["paused"]
    before = len(paused.asked)
    others = len(crawled.sites[3].asked)
    done = ran(crawled.program, "crawl", *crawled.again, "--visits", 10, "--yes")
    assert done.returncode == 0, done.stderr
    assert len(paused.asked) == before
    assert len(crawled.sites[3].asked) > others
    crawled.ask("host", paused.host, "--resume")


def test_the_settings_are_those_of_all_shards(crawled: Crawled) -> None:
    found = crawled.ask("settings")
    assert found["budget"]["visits"] == 100.0
    assert len(found["seeds"]) == len(crawled.sites)


def test_served_it_follows_the_shards_while_they_change(crawled: Crawled) -> None:
    """Nobody but the server writes the index."""
    site = crawled.sites[0]
    with server_of(crawled) as url:
        assert get(url, "/api/search?q=zeppelin")["total"] == 0
        site.pages["/"] += "<p>A zeppelin came by.</p>"
        done = ran(crawled.program, "crawl", *crawled.again, "--visits", 20, "--yes")
        assert done.returncode == 0, done.stderr
        wait_until(lambda: get(url, "/api/search?q=zeppelin")["total"] == 1)
        changes = get(url, "/api/changes?limit=1000")["changes"]
        assert [one["number"] for one in changes] == list(range(1, len(changes) + 1))
        assert site.url("/") in {
            one["url"] for one in changes if one["turn"] == "changed"
        }
        told = get(url, f"/api/changes?after={changes[0]['number']}&limit=1000")
        assert told["changes"][: len(changes) - 1] == changes[1:]


def test_pages_and_metrics_of_the_server_show_shards(crawled: Crawled) -> None:
    with server_of(crawled) as url:
        metrics = read(url, "/metrics")
        names = ("owned", "rate", "letters", "mail_lag_seconds", "epoch")
        for name in (*names, "checkpoint_age_seconds", "market_price"):
            for shard in (0, 1):
                assert f'trapline_shard_{name}{{shard="{shard}"}}' in metrics
        visits = re.findall(r"^trapline_visits_total\{.*\} (.*)$", metrics, re.M)
        assert sum(map(float, visits)) > PAGES * len(crawled.sites)
        figures = get(url, "/api/dashboard")
        assert len(figures["shards"]) == 2
        assert len(figures["hosts"]) == len(crawled.sites)
        assert figures["recall"]["value"] > 0.0
        page = read(url, "/dashboard")
        assert "Shards" in page
        assert "shards 0 of 2 at work" in page
        assert get(url, "/healthz")["status"] == "ok"
        why = read(url, f"/why?url={quote(crawled.page(3, 1), safe='')}")
        assert "run by nobody now" in why


def test_the_log_of_all_shards_is_read_by_time(crawled: Crawled) -> None:
    done = ran(crawled.program, "log", crawled.folder, "--json")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    visited = {line["host"] for line in lines if line["event"] == "visit"}
    assert visited == {site.host for site in crawled.sites}


def test_warc_files_carry_shard_and_epoch(crawled: Crawled) -> None:
    names = [path.name for path in crawled.folder.glob("shards/*/warc/*.warc.gz")]
    assert names
    for name in names:
        assert re.fullmatch(
            r"trapline-\d{14}-shard00[01]-epoch\d+-\d{5}\.warc\.gz", name
        )
    assert {name.split("-")[2] for name in names} == {"shard000", "shard001"}


def test_its_folder_finds_the_crawl_again(crawled: Crawled) -> None:
    """Also where it is only a link to a PostgreSQL."""
    found = said(ran(crawled.program, "status", crawled.folder, "--json"))
    assert found["folder"] == crawled.shown
    assert found["pages_held"] >= PAGES * len(crawled.sites) - 1


def test_the_folder_of_another_crawl_is_refused(
    crawled: Crawled, tmp_path: Path
) -> None:
    words = ("crawl", crawled.sites[0].url("/"), "--dir", crawled.folder)
    done = ran(crawled.program, *words, "--store", fresh_address())
    assert done.returncode == 2
    assert "name another --dir" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("redis://127.0.0.1/x", "redis:// is not known here"),
        ("postgresql://me:geheim@127.0.0.1:9/x", "check host and port"),
        ("postgresql://me@db/x#NO", "the name of a crawl has small letters"),
    ],
)
def test_a_wrong_address_is_one_line_without_a_password(
    tmp_path: Path, place: str, expected: str
) -> None:
    program = f"import os; os.environ['XDG_CACHE_HOME'] = {str(tmp_path)!r}; {PROGRAM}"
    for words in (("status",), ("search", "moon"), ("why", "http://a.org/")):
        done = ran(program, words[0], place, *words[1:])
        assert done.returncode == 2
        assert expected in done.stderr
        assert done.stderr.count("\n") == 1
        assert "geheim" not in done.stderr + done.stdout
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(b"geheim" not in path.read_bytes() for path in files)


def test_an_address_without_a_crawl_says_how_to_begin_one(tmp_path: Path) -> None:
    program = f"import os; os.environ['XDG_CACHE_HOME'] = {str(tmp_path)!r}; {PROGRAM}"
    done = ran(program, "status", fresh_address())
    assert done.returncode == 2
    assert "there is no crawl in shards in postgresql://" in done.stderr
    assert "trapline crawl URL --store" in done.stderr
