"""Links that another shard is to follow get no numbers, and keep what they showed."""

from __future__ import annotations

import numpy as np

from tests.unit.robot.response.desk import URL, Desk

BODY = (
    b"<title>Space</title><p>About space. "
    b"<a href=/b>space tea</a> <a href=http://other.net/x>space travel</a> "
    b"<a href=http://other.net/y>tea</a> <a href=http://other.net/x>space again</a> "
    b"<a href=http://third.org/z>far</a>"
)


def theirs(url: str) -> bool:
    return "other.net" in url


def test_they_leave_without_numbers() -> None:
    desk = Desk(elsewhere=theirs)
    done = desk.read(body=BODY)
    assert desk.found(done) == ["http://example.org/b", "http://third.org/z"]
    assert done.elsewhere.urls == ("http://other.net/x", "http://other.net/y")
    assert not any(map(theirs, desk.book.pages))
    assert "other.net:80" not in desk.book.hosts
    sent = done.elsewhere.links
    assert sent["page"].tolist() == [-1, -1]
    assert sent["host"].tolist() == [-1, -1]


def test_they_show_what_they_would_show_at_home() -> None:
    sent = Desk(elsewhere=theirs).read(body=BODY).elsewhere
    desk = Desk()
    links = desk.read(body=BODY).observation.links
    at_home = {desk.book.url(int(link["page"])): link for link in links}
    for url, link in zip(sent.urls, sent.links, strict=True):
        for clue in set(link.dtype.names) - {"page", "host"}:
            assert np.array_equal(link[clue], at_home[url][clue]), (url, clue)


def test_texts_of_links_are_kept_of_pages_at_home_only() -> None:
    desk = Desk(elsewhere=theirs)
    done = desk.read(body=BODY)
    named = {desk.book.url(page) for page, _ in done.texts}
    assert named == {"http://example.org/b", "http://third.org/z"}


def test_what_they_promise_is_for_the_policy_to_say() -> None:
    observation = Desk(elsewhere=theirs).read(body=BODY).observation
    assert len(observation.elsewhere) == 2
    assert observation.promised is None


def test_without_other_shards_nothing_leaves() -> None:
    done = Desk().read(body=BODY)
    assert done.elsewhere.urls == ()
    assert len(done.observation.links) == 4


def test_a_page_that_moved_to_another_shard_is_followed_there() -> None:
    desk = Desk(elsewhere=theirs)
    done = desk.read(301, location="http://other.net/moved")
    assert done.elsewhere.urls == ("http://other.net/moved",)
    assert desk.book.pages == [URL]
