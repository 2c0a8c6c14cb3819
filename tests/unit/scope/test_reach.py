"""Hosts out of reach: what is counted, what survives a restart, what is bounded."""

from __future__ import annotations

import pytest

from trapline.scope import reach as module
from trapline.scope.reach import Obstacle, Reach


def test_counts_survive_but_what_stands_against_whom_is_found_out_anew() -> None:
    reach = Reach()
    reach.note("a.org:80", Obstacle.NO_CONTACT)
    for url in ("http://a.org/x", "http://a.org/y", "http://b.org/"):
        reach.admits(url)
    again = Reach()
    again.restore(reach.state())
    assert again.hosts() == {"no contact": 1}
    assert again.links() == {"no contact": 2}
    assert again.admits("http://a.org/x")


def test_an_address_is_judged_at_the_first_link() -> None:
    asked: list[str] = []

    def judge(name: str) -> Obstacle | None:
        asked.append(name)
        return Obstacle.PRIVATE if name.startswith("10.") else None

    reach = Reach(judge)
    assert not reach.admits("http://10.0.0.1/") and not reach.admits(
        "http://10.0.0.1/a"
    )
    assert reach.admits("http://a.org/") and reach.admits("http://a.org/b")
    assert asked == ["10.0.0.1:80", "a.org:80"], "once each"


def test_a_host_that_is_found_again_does_not_count() -> None:
    reach = Reach()
    reach.note("a.org:80", Obstacle.PRIVATE)
    reach.admits("http://a.org/")
    reach.struck["a.org:80"] = 3
    reach.note("a.org:80", None)
    assert reach.hosts() == {} and reach.struck == {}
    assert reach.admits("http://a.org/")


def test_what_was_found_out_without_a_contact_is_forgotten() -> None:
    reach = Reach()
    reach.note("a.org:80", Obstacle.NO_CONTACT)
    reach.note("b.org:80", Obstacle.PRIVATE)
    for url in ("http://a.org/", "http://b.org/"):
        reach.admits(url)
    reach.start_over([Obstacle.NO_CONTACT])
    assert reach.hosts() == reach.links() == {"private address": 1}
    assert reach.admits("http://a.org/") and not reach.admits("http://b.org/")


def test_a_page_full_of_hosts_costs_bounded_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_HOSTS", 10)
    reach = Reach(lambda _: Obstacle.NO_NAME)
    for number in range(100):
        assert not reach.admits(f"http://h{number}.org/")
    assert reach.hosts() == {"name not found": 10}
    assert reach.links() == {"name not found": 10}
    assert len(reach.state()["names"]) == 10


def test_a_link_that_is_read_again_counts_once_also_after_a_restart() -> None:
    reach = Reach()
    for _ in range(2):
        reach.note("a.org:80", Obstacle.NO_CONTACT)
        reach.note("b.org:80", Obstacle.PRIVATE)
        for url in ("http://a.org/x", "http://a.org/y", "http://b.org/"):
            reach.admits(url)
        assert reach.links() == {"no contact": 2, "private address": 1}
        again = Reach()
        again.restore(reach.state())
        reach = again
    reach.note("a.org:80", None)
    assert reach.links() == {"private address": 1}


def test_so_many_links_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LINKS", 10)
    reach = Reach(lambda _: Obstacle.NO_NAME)
    for number in range(100):
        reach.admits(f"http://h.org/{number}")
    assert reach.links() == {"name not found": 10}


def test_counts_of_before_links_were_told_apart_begin_anew() -> None:
    reach = Reach(lambda _: Obstacle.NO_NAME)
    reach.admits("http://a.org/")
    old = {name: reach.state()[name] for name in ("names", "obstacles")}
    again = Reach()
    again.restore(old)
    assert again.hosts() == {"name not found": 1}
    assert again.links() == {}
