"""Pages that are elsewhere: redirects for good and for now, canonical links; and that no page is
lost on the way.
"""

from __future__ import annotations

import pytest

from tests.unit.robot.response.desk import HTML, URL, Desk
from trapline.core.records import Outcome

SITE = "http://example.org/"


def copy_of(href: str, words: str = "About space.") -> bytes:
    return f"<head><link rel=canonical href='{href}'></head><p>{words}".encode()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_link(status: int) -> None:
    desk = Desk()
    done = desk.read(status, location="../space#here")
    assert (done.observation.outcome, done.gone) == (Outcome.MOVED, False)
    assert desk.found(done) == [SITE + "space"]
    assert done.observation.links["address"][0] > 0.5


@pytest.mark.parametrize("status", [301, 308])
def test_a_lasting_redirect_ends_what_is_held(status: int) -> None:
    desk = Desk()
    desk.read()
    done = desk.read(status, location="/c")
    assert (done.observation.outcome, done.gone, desk.found(done)) == (
        Outcome.MOVED,
        True,
        [SITE + "c"],
    )
    assert done.visit.remark == f"moved to {SITE}c"


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_passing_redirect_leaves_what_is_held_and_is_tried_again(status: int) -> None:
    desk = Desk()
    held = desk.read().observation.relevance
    done = desk.read(status, location="/login")
    assert (done.observation.outcome, done.gone, done.seen, done.page) == (
        Outcome.FAILED,
        False,
        False,
        None,
    )
    assert desk.found(done) == [SITE + "login"]
    assert (done.observation.relevance, done.observation.changed) == (held, False)


@pytest.mark.parametrize("status", [301, 302])
@pytest.mark.parametrize(
    "location",
    ["", "/a", "a#x", "http://", "javascript:alert(1)", "http://\ufffd:99999/"],
)
def test_a_redirect_to_nowhere_is_no_link_and_no_end(
    location: str, status: int
) -> None:
    desk = Desk()
    new = desk.read(status, location=location)
    assert (new.observation.outcome, len(new.observation.links)) == (Outcome.MOVED, 0)
    desk.read()
    done = desk.read(status, location=location)
    assert (done.observation.outcome, len(done.observation.links), done.gone) == (
        Outcome.FAILED,
        0,
        False,
    )
    assert done.visit.remark in ("moved to itself", "moved to what is not a URL")


def test_a_redirect_out_of_scope_is_noted_and_gets_no_number() -> None:
    desk = Desk(in_scope=lambda url: url.startswith(SITE))
    desk.read()
    known = len(desk.book)
    done = desk.read(301, location="http://elsewhere.org/")
    assert (done.observation.outcome, done.gone, desk.found(done)) == (
        Outcome.MOVED,
        True,
        [],
    )
    assert done.visit.remark == "moved out of scope, to http://elsewhere.org/"
    assert len(desk.book) == known


def test_a_copy_is_held_until_its_original_is() -> None:
    desk = Desk()
    first = desk.read(body=copy_of("/b"))
    assert first.page is not None and desk.found(first) == [SITE + "b"]
    desk.read(url=SITE + "b", body=copy_of("/b"))  # says that it is itself
    assert desk.holds() == {URL, SITE + "b"}
    again = desk.read(body=copy_of("/b"), at_s=20.0)
    assert (again.observation.outcome, again.gone, again.page) == (
        Outcome.MOVED,
        True,
        None,
    )
    assert again.visit.remark == f"canonical is {SITE}b"
    other = desk.read(url=SITE + "a?utm=1", body=copy_of("/b"))
    assert (other.observation.outcome, other.page, desk.found(other)) == (
        Outcome.MOVED,
        None,
        [SITE + "b"],
    )
    assert desk.holds() == {SITE + "b"}


@pytest.mark.parametrize("names", ["ab", "abc", "abcd"])
def test_pages_that_name_each_other_in_a_circle_are_not_all_lost(names: str) -> None:
    desk = Desk()
    for at_s in (10.0, 20.0, 30.0):
        for name, following in zip(names, names[1:] + names[0], strict=True):
            if at_s == 10.0 or SITE + name in desk.holds():
                desk.read(url=SITE + name, body=copy_of(f"/{following}"), at_s=at_s)
            assert desk.holds()
    assert len(desk.holds()) == 1


def test_an_original_that_redirects_back_does_not_end_the_page() -> None:
    desk = Desk()
    desk.read(body=copy_of("/b"))
    assert (
        desk.read(301, url=SITE + "b", location="/a").observation.outcome
        is Outcome.MOVED
    )
    assert desk.read(body=copy_of("/b"), at_s=20.0).seen
    # by way of /b a copy of /a
    done = desk.read(url=SITE + "a?utm=1", body=copy_of("/b"))
    assert (done.observation.outcome, done.visit.remark) == (
        Outcome.MOVED,
        f"canonical is {URL}",
    )


def test_an_original_that_is_gone_is_none() -> None:
    desk = Desk()
    desk.read(404, url=SITE + "b")
    assert desk.read(body=copy_of("/b")).page is not None


@pytest.mark.parametrize(
    "href",
    [
        "mailto:me@example.org",
        "",
        "/a",
        "/a#b",
        "http://",
    ],
)
def test_canonical_links_that_say_nothing(href: str) -> None:
    done = Desk().read(body=copy_of(href))
    assert done.page is not None and len(done.observation.links) == 0
    assert done.original == -1


@pytest.mark.parametrize("href", ["http://other.org/b", "http://example.org:8080/b"])
def test_what_is_said_of_another_site_is_handed_on_and_loses_no_page(href: str) -> None:
    desk = Desk()
    other = desk.read(url=href)
    done = desk.read(body=copy_of(href))
    assert done.page is not None and not done.gone
    assert done.original == other.visit.page
    outside = Desk(in_scope=lambda url: url != href)
    assert outside.read(body=copy_of(href)).original == -1


@pytest.mark.parametrize(
    "original",
    ["https://example.org/a", "http://www.example.org/a", "https://www.example.org/"],
)
def test_scheme_and_www_may_differ(original: str) -> None:
    desk = Desk()
    desk.read(url=original)
    assert desk.read(body=copy_of(original)).observation.outcome is Outcome.MOVED


def test_a_canonical_link_out_of_scope_or_in_the_body_is_none() -> None:
    desk = Desk(in_scope=lambda url: "/b" not in url)
    desk.read(url=SITE + "b")
    done = desk.read(body=copy_of("/b"))
    assert done.page is not None and desk.found(done) == []
    desk = Desk()
    desk.read(url=SITE + "b")
    assert desk.read(body=HTML + b"<p><link rel=canonical href=/b>").page is not None
