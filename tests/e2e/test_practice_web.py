"""The living web over real HTTP on loopback: what it answers, and what the referee counts."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate, parsedate_to_datetime
from html import unescape
from urllib.parse import urljoin

import aiohttp
import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.app.demo.loopback_hosts import address, listen
from trapline.app.demo.practice_web import PracticeWeb
from trapline.core.errors import PortTaken
from trapline.laboratory.worlds import documents
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

PAGES = 30
HOSTS = 3
NEVER = float("inf")


@dataclass
class TinyWeb:
    """Page 7 changes once, at `changed_at`; every page gets a link more at `linked_at`; pages in
    `dead` are gone.
    """

    topic: str = "space"
    seed: int = 5
    pages: int = PAGES
    hosts: int = HOSTS
    gap_s: float = 0.05
    host: NDArray[np.int32] = field(
        default_factory=lambda: np.arange(PAGES, dtype=np.int32) % HOSTS
    )
    subject: NDArray[np.int32] = field(
        default_factory=lambda: np.arange(PAGES, dtype=np.int32) % 11
    )
    relevance: NDArray[np.float64] = field(
        default_factory=lambda: np.linspace(0.0, 1.0, PAGES)
    )
    changed_at: float = NEVER
    linked_at: float = NEVER
    dead: set[int] = field(default_factory=set)

    def alive(self, page: int, now_s: float) -> bool:
        return page not in self.dead

    def relevance_at(self, page: int, now_s: float) -> float:
        return float(self.relevance[page])

    def version(self, page: int, now_s: float) -> int:
        return int(page == 7 and now_s >= self.changed_at)

    def changed_s(self, page: int, now_s: float) -> float:
        return self.changed_at if self.version(page, now_s) else 0.0

    def links(self, page: int, now_s: float) -> NDArray[np.int32]:
        targets = [(page + 1) % PAGES, (page + 3) % PAGES] + [20] * (
            now_s >= self.linked_at
        )
        return np.array(targets, dtype=np.int32)

    def front_page(self, host: int) -> int:
        return host


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # of any case
    body: bytes


def ask(url: str, method: str = "GET", **headers: str) -> Answer:
    async def go() -> Answer:
        async with (
            aiohttp.ClientSession() as session,
            session.request(
                method,
                url,
                headers={k.replace("_", "-"): v for k, v in headers.items()},
            ) as response,
        ):
            return Answer(response.status, response.headers, await response.read())

    return asyncio.run(go())


@pytest.fixture
def world() -> TinyWeb:
    return TinyWeb()


@pytest.fixture
def server(world: TinyWeb) -> Iterator[PracticeWeb]:
    with PracticeWeb(world, latency_s=0.0) as living:
        yield living


def test_every_host_serves_its_own_pages(server: PracticeWeb, world: TinyWeb) -> None:
    for page in (0, 1, 2, 7, 17):
        answer = ask(server.url(page))
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.body.decode() == documents.html(world, page, 0.0, server.home)
    elsewhere = server.home(2) + documents.path(world, 7)[1:]
    assert ask(elsewhere).status == 404


def test_addresses_lead_back_to_pages(server: PracticeWeb) -> None:
    assert [server.page_at(server.url(page)) for page in range(PAGES)] == list(
        range(PAGES)
    )
    assert server.home(1) == f"http://{server.host_names()[1]}/"
    assert server.host_names()[0].startswith("127.0.0.2:")
    for wrong in (
        "http://127.0.0.2:3/",
        "http://example.org/",
        server.home(0) + "x",
        server.home(0) + "?q",
        "",
        "::",
    ):
        assert server.page_at(wrong) is None


def test_a_tag_saves_the_body_until_the_page_changes(
    server: PracticeWeb, world: TinyWeb
) -> None:
    first = ask(server.url(7))
    tag = first.headers["ETag"]
    assert tag.startswith('"7-0-')
    held = ask(server.url(7), If_None_Match=f'"other", {tag}')
    assert (held.status, held.body, held.headers["ETag"]) == (304, b"", tag)
    world.changed_at = server.world_time()
    again = ask(server.url(7), If_None_Match=tag)
    assert again.status == 200
    assert again.body != first.body and again.headers["ETag"] != tag


def test_a_date_saves_the_body_until_links_appear(
    server: PracticeWeb, world: TinyWeb
) -> None:
    date = ask(server.url(4)).headers["Last-Modified"]
    assert parsedate_to_datetime(date).timestamp() < time.time() - 3600
    assert ask(server.url(4), If_Modified_Since=date).status == 304
    assert (
        ask(server.url(4), If_Modified_Since=formatdate(0, usegmt=True)).status == 200
    )
    assert (
        ask(server.url(4), If_Modified_Since=date, If_None_Match='"other"').status
        == 200
    )
    world.linked_at = 0.0
    assert ask(server.url(4), If_Modified_Since=date).status == 200


def test_a_date_is_given_only_when_its_second_is_over(
    server: PracticeWeb, world: TinyWeb
) -> None:
    world.changed_at = server.world_time()
    early = ask(server.url(7)).headers
    assert early["ETag"].startswith('"7-1-')
    assert early.get("Last-Modified") != early["Date"]
    time.sleep(1.01)
    date = ask(server.url(7)).headers["Last-Modified"]
    assert abs(parsedate_to_datetime(date).timestamp() - time.time()) < 5
    assert ask(server.url(7), If_Modified_Since=date).status == 304


def test_unknown_and_dead_pages_are_not_found(
    server: PracticeWeb, world: TinyWeb
) -> None:
    assert ask(server.home(0) + "nothing-3.html").status == 404
    assert ask(server.url(8)).status == 200
    world.dead.add(8)
    assert ask(server.url(8)).status == 404


def test_head_gives_the_head_and_other_methods_are_refused(server: PracticeWeb) -> None:
    whole = ask(server.url(5))
    head = ask(server.url(5), "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["ETag"] == whole.headers["ETag"]
    assert (
        head.headers["Content-Length"]
        == whole.headers["Content-Length"]
        == str(len(whole.body))
    )
    assert ask(server.url(5), "POST").status == 405


def test_each_host_has_robots_rules_and_notices_who_breaks_them(
    server: PracticeWeb,
) -> None:
    texts = [ask(server.home(host) + "robots.txt") for host in range(HOSTS)]
    assert len({text.body for text in texts}) == HOSTS
    assert all(
        b"Disallow: /private/" in text.body and text.status == 200 for text in texts
    )
    assert server.page_requests() == 0
    assert documents.PRIVATE_PATH.encode() in ask(server.home(1)).body
    assert server.private_requests() == 0
    assert ask(server.home(1) + documents.PRIVATE_PATH[1:]).status == 200
    assert (server.private_requests(), server.page_requests(), server.requests()) == (
        1,
        2,
        5,
    )


def test_the_referee_counts_hurried_requests_per_host(
    server: PracticeWeb, world: TinyWeb
) -> None:
    world.gap_s = 60.0
    for page in (0, 1, 2):
        ask(server.url(page))
    assert server.gap_violations() == 0
    ask(server.url(3))
    ask(server.home(0) + "none")
    assert server.gap_violations() == 2
    seen = server.arrivals(0)
    assert [(arrival.path, arrival.status) for arrival in seen] == [
        ("/", 200),
        (documents.path(world, 3), 200),
        ("/none", 404),
    ]
    longest, shortest = sorted(
        (seen[1].at_s - seen[0].at_s, seen[2].at_s - seen[1].at_s), reverse=True
    )
    world.gap_s = longest + 0.002
    assert server.gap_violations() == 2
    world.gap_s = shortest + 0.0005  # a millisecond is forgiven
    assert server.gap_violations() == 0


def test_robots_faults_are_as_asked_for_and_are_logged(world: TinyWeb) -> None:
    async def outcome(url: str) -> str:
        async with aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=1.0)
        ) as session:
            # aiohttp repeats a reset GET behind our back
            session._retry_connection = False
            try:
                async with session.get(url) as response:
                    return str(response.status)
            except TimeoutError:
                return "hang"
            except (ConnectionResetError, aiohttp.ClientOSError):
                return "reset"

    async def all_of(urls: list[str]) -> list[str]:
        return list(await asyncio.gather(*map(outcome, urls)))

    with PracticeWeb(world, robots_fault={0: "500", 1: "hang", 2: "reset"}) as living:
        found = asyncio.run(
            all_of([living.home(host) + "robots.txt" for host in range(HOSTS)])
        )
        assert found == ["500", "hang", "reset"]
        assert [
            [arrival.status for arrival in living.arrivals(host)]
            for host in range(HOSTS)
        ] == [[500], [0], [0]]
        assert (living.requests(), living.page_requests()) == (3, 0)


def test_a_request_that_hangs_does_not_hold_up_the_end(world: TinyWeb) -> None:
    """A machine with much else to do may spoil one run; a second's wait would spoil all."""
    assert min(stop_with_a_request_that_hangs(world) for _ in range(3)) < 0.9


def stop_with_a_request_that_hangs(world: TinyWeb) -> float:
    """Seconds until the web has stopped."""
    with PracticeWeb(world, robots_fault={0: "hang"}) as living:
        host = living.host_names()[0].partition(":")
        with socket.create_connection((host[0], int(host[2]))) as client:
            client.sendall(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n")
            deadline = time.monotonic() + 30.0
            while not living.requests() and time.monotonic() < deadline:
                time.sleep(0.01)
            began = time.monotonic()
            living.stop()
            return time.monotonic() - began


def test_answers_take_the_latency(world: TinyWeb) -> None:
    with PracticeWeb(world, latency_s=0.15) as living:
        began = time.monotonic()
        assert ask(living.home(0)).status == 200
        assert time.monotonic() - began >= 0.15


def test_world_time_runs_at_its_speed_from_the_start(world: TinyWeb) -> None:
    living = PracticeWeb(world, speed=100.0)
    assert living.world_time() == 0.0
    began = time.monotonic()
    with living:
        time.sleep(0.05)
        assert 5.0 <= living.world_time() <= 100.0 * (time.monotonic() - began)


def test_stopping_leaves_no_thread_and_no_socket(world: TinyWeb) -> None:
    before = threading.active_count()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        living = PracticeWeb(world).start()
        port = int(living.host_names()[0].partition(":")[2])
        idle = socket.create_connection((address(0), port))
        assert threading.active_count() == before + 1
        living.stop()
        living.stop()
        idle.close()
    assert threading.active_count() == before
    for again in listen(HOSTS, port):
        again.close()


def test_a_port_that_is_taken_on_one_host_is_named(world: TinyWeb) -> None:
    with socket.create_server((address(1), 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"{port} on 127\.0\.0\.3"):
            PracticeWeb(world, port).start()
        with pytest.raises(PortTaken):
            listen(HOSTS, port)
    with PracticeWeb(world, port) as living:
        assert ask(living.home(1)).status == 200


@dataclass
class Timed:
    """A living linked web whose time is set by hand."""

    web: LinkedWeb
    living: PracticeWeb
    now_s: float = 0.0

    def targets(self, page: int) -> set[int | None]:
        """Where the links in the body lead that the server sends; None = to no page of the web."""
        url = self.living.url(page)
        hrefs = re.findall(r'<a href="([^"]*)"', ask(url).body.decode())
        away = {urljoin(url, unescape(href)) for href in hrefs}
        return {
            self.living.page_at(target)
            for target in away
            if documents.PRIVATE_FOLDER not in target
        }


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Timed]:
    shape = Shape(
        change_every_s=(1e9, 1e9), life_s=100.0, born_share=0.2, dies_share=0.2
    )
    web = LinkedWeb.generate(200, hosts=HOSTS, seed=6, shape=shape)
    living = PracticeWeb(web, latency_s=0.0)
    timed = Timed(web, living)
    monkeypatch.setattr(living, "world_time", lambda: timed.now_s)
    with living:
        yield timed


def test_a_linked_web_is_served_as_it_is_linked(timed: Timed) -> None:
    web = timed.web
    for page in [*web.seeds, *web.hubs.tolist()[:3], 150]:
        # every page links to its front page at the top
        front = web.front_page(int(web.host[page]))
        assert timed.targets(page) == set(web.links(page, 0.0).tolist()) | {front}


def test_births_and_deaths_of_a_linked_web_are_seen_over_http(timed: Timed) -> None:
    web = timed.web
    url = timed.living.url
    newest = int(np.argmax(web.truth.born_s))
    born_s = float(web.truth.born_s[newest])
    lister = next(
        page for page in range(web.pages) if newest in web.links(page, born_s)
    )
    timed.now_s = born_s - 0.001
    tag = ask(url(lister)).headers["ETag"]
    assert ask(url(newest)).status == 404
    assert newest not in timed.targets(lister)
    timed.now_s = born_s
    again = ask(url(lister), If_None_Match=tag)
    assert again.status == 200 and again.headers["ETag"] != tag
    assert newest in timed.targets(lister)
    assert ask(url(newest)).status == 200
    mortal = int(np.argmin(web.truth.dies_s))
    assert ask(url(mortal)).status == 404


def test_the_tag_of_a_linked_web_names_the_version_that_its_truth_counts(
    timed: Timed,
) -> None:
    for timed.now_s in (0.0, 40.0, 80.0):
        for page in (0, 1, 2):
            tag = ask(timed.living.url(page)).headers["ETag"].strip('"')
            assert tag.split("-")[:2] == [
                str(page),
                str(timed.web.version(page, timed.now_s)),
            ]
