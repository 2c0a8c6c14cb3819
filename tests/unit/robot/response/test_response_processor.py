"""What each kind of answer teaches the controller, and what it leaves in the store."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.robot.response.desk import HTML, URL, Desk
from trapline.core.records import Failure, Kind, Outcome, Reception, Robots
from trapline.reading.html.links import MOST_LINKS
from trapline.reading.rules.reading_rules import ReadingRules
from trapline.robot.response.missing_pages import CONFIRM_S
from trapline.topic.topic import Topic


def test_a_first_document_is_new() -> None:
    desk = Desk()
    done = desk.read(etag='"1"', last_modified="yesterday")
    assert done.page is not None
    assert (done.page.page, done.page.url, done.page.title, done.page.text) == (
        0,
        URL,
        "Space",
        "About space. tea x me",
    )
    assert (
        done.page.etag,
        done.page.last_modified,
        done.page.fetched_s,
        done.page.changed_s,
    ) == (
        '"1"',
        "yesterday",
        10,
        10,
    )
    assert -(2**63) <= done.page.fingerprint < 2**63
    assert (
        done.observation.outcome,
        done.observation.changed,
        done.seen,
        done.gone,
    ) == (
        Outcome.OK,
        True,
        False,
        False,
    )
    assert done.observation.relevance == done.page.relevance > 0.9
    found = done.observation.links
    links = [
        (desk.book.url(page), like > 0)
        for page, like in zip(found["page"], found["address"], strict=True)
    ]
    # and none to itself
    assert links == [
        ("http://example.org/b", False),
        ("http://example.org/space", True),
    ]
    visit = done.visit
    assert (
        visit.number,
        visit.page,
        visit.issued_s,
        visit.ended_s,
        visit.price,
        visit.status,
    ) == (
        7,
        0,
        9,
        10,
        0.25,
        200,
    )
    assert (visit.outcome, visit.changed, visit.relevance) == (
        Outcome.OK,
        True,
        done.page.relevance,
    )


def test_the_same_document_again_is_seen_not_changed() -> None:
    desk = Desk()
    desk.read()
    # markup that no reader sees
    done = desk.read(at_s=20.0, body=HTML.replace(b" <a", b"\n\n<a class=new"))
    assert (
        done.observation.outcome,
        done.observation.changed,
        done.page,
        done.seen,
    ) == (Outcome.OK, False, None, True)
    assert done.observation.relevance > 0.9


def test_the_same_document_with_new_validators_keeps_its_birthday() -> None:
    desk = Desk()
    desk.read(etag='"1"')
    done = desk.read(at_s=20.0, etag='"2"')
    assert done.page is not None and not done.seen and not done.observation.changed
    assert (done.page.etag, done.page.changed_s, done.page.fetched_s) == (
        '"2"',
        10.0,
        20.0,
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"About", b"Above"),
        (b"<title>Space", b"<title>Spice"),
        (b"href=/b", b"href=/c"),
    ],
)
def test_words_title_and_links_make_a_change(old: bytes, new: bytes) -> None:
    desk = Desk()
    desk.read()
    done = desk.read(at_s=20.0, body=HTML.replace(old, new))
    assert done.page is not None and done.page.changed_s == 20.0
    assert done.observation.changed and done.visit.changed


def test_not_modified() -> None:
    desk = Desk()
    assert desk.read(304).observation.outcome is Outcome.FAILED  # nothing was held
    held = desk.read().observation.relevance
    done = desk.read(304, at_s=20.0)
    assert (done.observation.outcome, done.seen, done.page, done.gone) == (
        Outcome.UNCHANGED,
        True,
        None,
        False,
    )
    assert done.observation.relevance == held


@pytest.mark.parametrize("status", [404, 410])
def test_what_was_never_held_is_gone_at_once(status: int) -> None:
    done = Desk().read(status, body=HTML)
    assert (done.observation.outcome, done.gone, done.page) == (
        Outcome.GONE,
        True,
        None,
    )


@pytest.mark.parametrize("status", [404, 410])
def test_a_held_page_is_gone_when_it_is_missing_twice(status: int) -> None:
    desk = Desk()
    desk.read()
    for at_s in (20.0, 20.0 + CONFIRM_S / 2):  # too early to confirm
        done = desk.read(status, at_s=at_s)
        assert (done.observation.outcome, done.gone, done.page) == (
            Outcome.FAILED,
            False,
            None,
        )
        assert done.visit.remark == f"status {status}, to be confirmed"
    done = desk.read(status, at_s=20.0 + CONFIRM_S)
    assert (done.observation.outcome, done.gone) == (Outcome.GONE, True)
    # nothing is held: nothing to confirm
    assert desk.read(status, at_s=200.0).observation.outcome is Outcome.GONE


@pytest.mark.parametrize(("between", "gone"), [(200, False), (304, False), (500, True)])
def test_a_page_that_is_there_again_was_not_missing(between: int, gone: bool) -> None:
    desk = Desk()
    desk.read()
    desk.read(404, at_s=20.0)
    desk.read(between, at_s=50.0)
    assert desk.read(404, at_s=20.0 + 2 * CONFIRM_S).gone is gone


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 599])
def test_trouble_is_tried_again_when_the_server_says(status: int) -> None:
    desk = Desk()
    desk.read()
    done = desk.read(status, body=HTML, retry_after_s=30.0)
    assert (done.observation.outcome, done.observation.retry_after_s) == (
        Outcome.FAILED,
        30.0,
    )
    assert (done.page, done.seen, done.gone, len(done.observation.links)) == (
        None,
        False,
        False,
        0,
    )
    assert done.visit.remark == f"status {status}"


def test_who_answers_does_not_send_us_away() -> None:
    assert Desk().read(retry_after_s=30.0).observation.retry_after_s == 0.0


@pytest.mark.parametrize(
    ("status", "failure", "reception"),
    [
        (200, None, Reception.FINE),
        (404, None, Reception.FINE),
        (429, None, Reception.REFUSED),
        (503, None, Reception.REFUSED),
        (500, None, Reception.TROUBLE),
        (0, Failure.TIMEOUT, Reception.TROUBLE),
        (0, Failure.CONNECTION, Reception.TROUBLE),
        (0, Failure.TOO_LARGE, Reception.FINE),
    ],
)
def test_how_the_host_took_the_visit(
    status: int, failure: Failure | None, reception: Reception
) -> None:
    assert Desk().read(status, failure=failure).observation.reception is reception
    assert (
        Desk().read(status, failure=failure, kind=Kind.ROBOTS).observation.reception
        is reception
    )


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        (Failure.TIMEOUT, Outcome.FAILED),
        (Failure.CONNECTION, Outcome.FAILED),
        (Failure.PROTOCOL, Outcome.FAILED),
        (Failure.TOO_LARGE, Outcome.SKIPPED),
        (Failure.FORBIDDEN_ADDRESS, Outcome.SKIPPED),
    ],
)
def test_failures(failure: Failure, outcome: Outcome) -> None:
    done = Desk().read(0, failure=failure)
    assert (done.observation.outcome, done.visit.remark, done.page, done.gone) == (
        outcome,
        failure.value,
        None,
        False,
    )


@pytest.mark.parametrize("status", [201, 204, 206, 300, 400, 401, 403, 405, 418, 451])
def test_other_statuses_are_skipped(status: int) -> None:
    desk = Desk()
    assert (
        desk.read(status, body=HTML, content_type="text/html").observation.outcome
        is Outcome.SKIPPED
    )
    desk.read()
    # as a wall of fire on a bad day says it of all pages
    assert not desk.read(status, at_s=20.0).gone
    # nobody will come back to see whether it is still current
    assert desk.read(status, at_s=20.0 + CONFIRM_S).gone


@pytest.mark.parametrize(
    ("content_type", "body", "outcome"),
    [
        ("text/html", HTML, Outcome.OK),
        ("TEXT/HTML;charset=utf-8", HTML, Outcome.OK),
        ("application/xhtml+xml", HTML, Outcome.OK),
        ("text/plain", b"space", Outcome.OK),
        ("", b"  <p>space", Outcome.OK),
        ("", b"%PDF", Outcome.SKIPPED),
        ("application/octet-stream", HTML, Outcome.SKIPPED),
        ("application/xml", b"<svg><text>space</text></svg>", Outcome.SKIPPED),
        ("text/xml", b"<?xml version='1.0'?><html><p>space", Outcome.OK),
        ("application/pdf", HTML, Outcome.SKIPPED),
        ("image/png", b"\x89PNG", Outcome.SKIPPED),
        (";;;", HTML, Outcome.OK),
        ("text/html", b"", Outcome.OK),
    ],
)
def test_content_types(content_type: str, body: bytes, outcome: Outcome) -> None:
    done = Desk().read(content_type=content_type, body=body)
    assert done.observation.outcome is outcome
    assert (done.page is not None) is (outcome is Outcome.OK)


def test_plain_text_is_text() -> None:
    done = Desk().read(content_type="text/plain", body=b"a <b>\n\n space")
    assert done.page is not None and done.page.text == "a <b>\nspace"


def test_noindex_is_not_kept_but_leads_on() -> None:
    desk = Desk()
    desk.read()
    done = desk.read(body=b"<meta name=robots content=noindex>" + HTML)
    assert (done.page, done.gone, len(done.observation.links)) == (None, True, 2)
    assert (
        len(desk.read(body=b"<meta name=robots content=none>" + HTML).observation.links)
        == 0
    )


def test_robots_txt() -> None:
    done = Desk().read(
        200, kind=Kind.ROBOTS, body=b"User-agent: *", content_type="text/html"
    )
    assert (
        done.robots
        == done.observation.robots
        == Robots("User-agent: *", 10.5 + 86_400, b"")
    )
    assert (done.observation.outcome, done.page, done.visit.page, done.visit.kind) == (
        Outcome.OK,
        None,
        -1,
        Kind.ROBOTS,
    )


def test_robots_txt_that_cannot_be_had_closes_the_host() -> None:
    done = Desk().read(503, kind=Kind.ROBOTS, retry_after_s=100.0)
    assert done.robots == done.observation.robots == Robots(None, 110.5)
    assert (done.observation.outcome, done.observation.retry_after_s) == (
        Outcome.FAILED,
        100.0,
    )
    assert Desk().read(0, kind=Kind.ROBOTS, failure=Failure.TIMEOUT).robots == Robots(
        None, 70.5
    )


def test_a_page_without_words_is_held_and_has_no_relevance() -> None:
    for body in (b"<title></title>", b"<img src=x>", b"<p>the of 17"):
        done = Desk().read(body=body)
        assert (
            done.page is not None
            and done.page.relevance == done.observation.relevance == 0.0
        )


def test_a_link_is_told_once_with_its_best_words_and_none_to_the_page_itself() -> None:
    done = Desk().read(
        body=b"<a href=/b>next</a><a href=#top>x</a><a href=/a>space</a><a href=/b>Space</a>"
        * 9
    )
    assert done.observation.links["anchor"].tolist() == [1.0]


def test_a_million_links_are_cut_short() -> None:
    body = b"".join(b"<a href=/%d>%d</a>" % (n, n) for n in range(1_000_000))
    assert 0 < len(Desk().read(body=body).observation.links) <= MOST_LINKS


@pytest.mark.parametrize("said", [float("nan"), -0.1, 1.5, float("inf"), "much", None])
def test_a_relevance_that_is_none_is_taken_as_nothing_and_said(said: Any) -> None:
    desk = Desk(lambda title, text: said)
    done = desk.read()
    assert (
        done.page is not None
        and done.page.relevance == done.observation.relevance == 0.0
    )
    assert f"relevance {said} is not in [0, 1]" in done.visit.remark
    assert desk.read(at_s=20.0).observation.relevance == 0.0


def test_a_plug_in_judges_by_title_and_text() -> None:
    done = Desk(
        lambda title, text: 0.25 if (title, text[:5]) == ("Space", "About") else 1.0
    ).read()
    assert (done.observation.relevance, done.visit.remark) == (0.25, "")


def test_what_people_say_of_a_page_is_its_relevance_and_is_written() -> None:
    desk = Desk()
    assert desk.read().observation.relevance > 0.9
    desk.processor.lessons.label(0, belongs=False)
    done = desk.read(at_s=20.0)
    assert (done.observation.relevance, done.observation.changed) == (0.0, False)
    assert done.page is not None and (done.page.relevance, done.page.changed_s) == (
        0.0,
        10.0,
    )
    assert desk.read(at_s=30.0).seen  # written once
    assert desk.read(304, at_s=40.0).observation.relevance == 0.0


def test_an_example_teaches_when_it_is_read() -> None:
    desk = Desk(topic=Topic.from_text("", expects=True))
    assert desk.read().observation.relevance == 0.0
    desk.processor.lessons.example(0, like=True)
    assert desk.read(at_s=20.0).observation.relevance == 1.0


def test_only_new_texts_teach_which_words_are_common() -> None:
    desk = Desk()
    for at_s in (10.0, 20.0, 30.0):
        desk.read(at_s=at_s)
    assert desk.topic.documents == 1
    desk.read(at_s=40.0, body=HTML.replace(b"About", b"Above"))
    assert desk.topic.documents == 2


def test_a_page_on_a_list_is_kept_in_whatever_language() -> None:
    german = b"<html lang=de><title>Sterne</title><p>Die Sterne sind weit weg."
    crawl = Desk(speaks=lambda language: language == "en")
    assert crawl.read(body=german).page is None
    rules = ReadingRules(watched=True)
    watch = Desk(speaks=lambda language: language == "en", reading=lambda _: rules)
    kept = watch.read(body=german).page
    assert kept is not None and kept.text == "Die Sterne sind weit weg."
