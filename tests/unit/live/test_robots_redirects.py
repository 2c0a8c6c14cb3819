"""Where a robots.txt is redirected to, with scripted hosts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from tests.unit.live.test_loop import in_pretend_time
from trapline.core.records import Fetched, Kind, Request, Ticket
from trapline.core.urls import host_of
from trapline.live.robots_redirects import (
    KEPT_S,
    MOST_HOPS,
    PATIENCE_S,
    RobotsRedirects,
    is_redirected,
)

TICKET = Ticket(1, Kind.ROBOTS, -1, 0, 0.0, 0.0)
HOSTS = ["a:80", "b:80", "c:80"]
START = "http://a/robots.txt"


@dataclass
class Script:
    """`locations` by URL: where it leads; "" = the rules are there."""

    locations: dict[str, str]
    forbidden: frozenset[str] = frozenset()
    silent: frozenset[int] = frozenset()  # hosts that nobody has time for
    ruleless: frozenset[int] = frozenset()  # hosts whose rules cannot be had
    busy: bool = False  # turns take a minute, and then do not come
    visited: list[str] = field(default_factory=list)
    learnt: list[int] = field(default_factory=list)

    async def visit(self, host: int, url: str) -> Fetched | None:
        assert HOSTS[host] == host_of(url)
        await asyncio.sleep(60.0 if self.busy else 0.0)
        if self.busy:
            return None
        if host in self.silent:
            return None
        self.visited.append(url)
        return self.answer(url)

    async def learn_rules(self, host: int) -> bool:
        self.learnt.append(host)
        return host not in self.ruleless

    def answer(self, url: str) -> Fetched:
        ticket = Ticket(7, Kind.ERRAND, -1, HOSTS.index(host_of(url)), 0.0, 0.0)
        location = self.locations.get(url)
        if location is None:
            return Fetched(ticket, url, 0.0, status=404)
        if location:
            return Fetched(ticket, url, 0.0, status=302, location=location)
        return Fetched(ticket, url, 0.0, status=200, body=b"rules of " + url.encode())

    def redirects(self) -> RobotsRedirects:
        return RobotsRedirects(
            self,
            lambda url: HOSTS.index(host_of(url)),
            lambda host, url: url not in self.forbidden,
        )

    def follow(self, redirects: RobotsRedirects | None = None) -> Fetched:
        first = Fetched(TICKET, START, 0.0, status=302, location=self.locations[START])
        assert is_redirected(TICKET, first)
        return asyncio.run(
            (redirects or self.redirects()).follow(Request(TICKET, START), first)
        )


def test_the_answer_at_the_end_is_that_of_the_first_host() -> None:
    script = Script({START: "http://b/robots.txt", "http://b/robots.txt": ""})
    found = script.follow()
    assert (found.status, found.ticket, found.url) == (200, TICKET, START)
    assert found.body == b"rules of http://b/robots.txt"
    assert (script.visited, script.learnt) == (["http://b/robots.txt"], [])


def test_a_file_elsewhere_is_read_if_the_rules_there_allow_it() -> None:
    hops = {START: "http://b/x.txt", "http://b/x.txt": ""}
    assert Script(hops).follow().status == 200
    closed = Script(hops, forbidden=frozenset(["http://b/x.txt"]))
    assert (closed.follow().status, closed.visited) == (302, [])
    unknown = Script(hops, ruleless=frozenset([1]))
    assert (unknown.follow().status, unknown.visited, unknown.learnt) == (302, [], [1])


def test_another_file_of_the_same_host_needs_no_rules() -> None:
    script = Script({START: "/here.txt", "http://a/here.txt": ""})
    assert (script.follow().status, script.learnt) == (200, [])


def test_a_missing_file_at_the_end_means_that_there_are_no_rules() -> None:
    assert Script({START: "http://b/robots.txt"}).follow().status == 404


@pytest.mark.parametrize(
    "location", ["", "http://", "javascript:1", START, "http://b/loop"]
)
def test_what_leads_nowhere_stays_a_redirect(location: str) -> None:
    script = Script({START: location, "http://b/loop": "http://b/loop"})
    assert script.follow().status == 302
    assert len(script.visited) <= 1


def test_five_hops_and_no_more() -> None:
    chain = {START: "http://b/robots.txt?0"}
    for hop in range(20):
        chain[f"http://b/robots.txt?{hop}"] = f"http://b/robots.txt?{hop + 1}"
    script = Script(chain)
    assert script.follow().status == 302
    assert len(script.visited) == MOST_HOPS


def test_a_host_that_nobody_has_time_for() -> None:
    hops = {START: "http://b/robots.txt", "http://b/robots.txt": ""}
    assert Script(hops, silent=frozenset([1])).follow().status == 302


def test_many_that_want_the_same_ask_once() -> None:
    script = Script({START: "http://b/robots.txt", "http://b/robots.txt": ""})
    redirects = script.redirects()
    first = Fetched(TICKET, START, 0.0, status=302, location="http://b/robots.txt")
    request = Request(TICKET, START)

    async def all_of_them() -> None:
        wishes = (redirects.follow(request, first) for _ in range(24))
        assert {found.status for found in await asyncio.gather(*wishes)} == {200}
        assert len(script.visited) == 1
        await asyncio.sleep(KEPT_S / 2)
        await redirects.follow(request, first)
        assert len(script.visited) == 1
        await asyncio.sleep(KEPT_S)
        await redirects.follow(request, first)
        assert len(script.visited) == 2

    in_pretend_time(all_of_them())


def test_all_who_wait_for_a_host_that_has_no_time_end_together() -> None:
    script = Script({START: "http://b/robots.txt"}, busy=True)
    redirects = script.redirects()
    first = Fetched(TICKET, START, 0.0, status=302, location="http://b/robots.txt")
    request = Request(TICKET, START)

    async def all_of_them() -> None:
        wishes = (redirects.follow(request, first) for _ in range(24))
        assert {found.status for found in await asyncio.gather(*wishes)} == {302}

    assert in_pretend_time(all_of_them()) <= PATIENCE_S
