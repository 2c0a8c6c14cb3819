"""What an answer says by itself, and its way to another process and back."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.unit.robot.response.desk import Desk
from trapline.core.records import Failure, Fetched, Kind, Outcome, Ticket
from trapline.reading.answer import is_readable, read_answer
from trapline.reading.packing import pack_reading, unpack_reading
from trapline.reading.readings import ReadDocument, ReadListing, Unreadable
from trapline.reading.rules.reading_rules import ReadingRules

HTML = "text/html; charset=utf-8"
BODIES = {
    "a page with links": (
        HTML,
        b"<title>Stars</title><p>See <a href='/sun'>the Sun</a>, <a href='/moon'>Moon</a>.",
    ),
    "a page without": (
        HTML,
        "<html lang=de><title>Sterne</title><p>Schöne Größe".encode(),
    ),
    "a page that is not there": (
        HTML,
        b"<title>404 Not Found</title><h1>Page not found</h1>",
    ),
    "nothing": (HTML, b""),
    "plain text": ("text/plain", b"Stars are far away."),
    "a sitemap": (
        "application/xml",
        b"<urlset><url><loc>http://a.org/1</loc><lastmod>1990-01-01</lastmod></url></urlset>",
    ),
    "an empty sitemap": ("application/xml", b"<urlset></urlset>"),
    "an image": ("image/png", b"\x89PNG"),
}


def answer(content_type: str = HTML, body: bytes = b"", **more: object) -> Fetched:
    ticket = Ticket(1, Kind.PAGE, 0, 0, 0.0, 0.0)
    given = {"status": 200, "body": body, "content_type": content_type, **more}
    return Fetched(ticket, "http://a.org/", 1e9, **given)  # type: ignore[arg-type]


def read_page(content_type: str, body: bytes) -> ReadDocument:
    reading = read_answer(answer(content_type, body))
    assert isinstance(reading, ReadDocument)
    return reading


@pytest.mark.parametrize("name", BODIES)
def test_a_reading_survives_its_way(name: str) -> None:
    reading = read_answer(answer(*BODIES[name]))
    back = unpack_reading(pack_reading(reading))
    if isinstance(reading, ReadListing):
        assert isinstance(back, ReadListing)
        assert (back.what, back.fingerprint) == (reading.what, reading.fingerprint)
        assert np.array_equal(back.modified_s, reading.modified_s, equal_nan=True)
        assert back.links.urls == reading.links.urls
        assert all(map(np.array_equal, back.links.words, reading.links.words))
        return
    if not isinstance(reading, ReadDocument):
        assert back == reading
        return
    assert isinstance(back, ReadDocument)
    assert back.document == replace(reading.document, links=())
    assert (back.missing, back.language, back.marks) == (
        reading.missing,
        reading.language,
        reading.marks,
    )
    assert back.links.urls == reading.links.urls
    for there, here in zip(
        (*back.counts, *back.links.words),
        (*reading.counts, *reading.links.words),
        strict=True,
    ):
        assert np.array_equal(there, here)


def test_links_lead_where_anybody_would_get_to() -> None:
    """Without marks of a session; and where the page belongs is a link of its own."""
    head = "<title>Stars</title><link rel=canonical href=/stars>"
    page = f"{head}<p><a href='/sun?PHPSESSID=0123456789abcdef'>the Sun</a>".encode()
    reading = read_page(HTML, page)
    assert reading.links.urls == ["http://a.org/sun", "http://a.org/stars"]
    page = f"{head}<meta name=robots content=nofollow><p><a href='/sun'>the Sun</a>".encode()
    assert read_page(HTML, page).links.urls == []


def test_all_that_a_document_says_by_itself() -> None:
    reading = read_page(*BODIES["a page with links"])
    assert len(reading.document.links) == 2
    assert reading.marks.fingerprint != 0
    assert len(reading.counts.words) == 4  # star, see, sun, moon
    assert not reading.missing
    assert read_page(*BODIES["a page that is not there"]).missing
    assert read_page(*BODIES["a page without"]).language == "de"


def test_what_is_no_document_has_no_words() -> None:
    assert isinstance(read_answer(answer(*BODIES["a sitemap"])), ReadListing)
    assert read_answer(answer(*BODIES["an image"])) == Unreadable(
        "content type image/png"
    )


WATCHED = ReadingRules(watched=True)
ITEM = (
    "<item><title>{0}</title><link>/{0}</link><description>On {0}.</description></item>"
)


def read_watched(content_type: str, body: bytes, **rules: Any) -> ReadDocument:
    reading = read_answer(answer(content_type, body), replace(WATCHED, **rules))
    assert isinstance(reading, ReadDocument), reading
    return reading


def test_a_feed_on_a_list_is_read_item_by_item() -> None:
    items = "".join(map(ITEM.format, ("sun", "moon")))
    feed = f"<rss><channel><pubDate>now</pubDate>{items}</channel></rss>"
    first = read_watched("application/rss+xml", feed.encode())
    assert first.document.text.split("\n") == [
        "sun http://a.org/sun",
        "On sun.",
        "moon http://a.org/moon",
        "On moon.",
    ]
    later = read_watched("text/xml", feed.replace("now", "later").encode())
    assert later.marks == first.marks
    other = read_watched("text/xml", feed.replace("On sun", "Of sun").encode())
    assert other.marks != first.marks
    left = read_watched("text/xml", feed.encode(), ignore_text=(".*moon.*",))
    assert left.document.text == "sun http://a.org/sun\nOn sun."
    loose = "<rss><channel><item><title>No link</title></item></channel></rss>"
    assert read_watched("text/xml", loose.encode()).document.text == "No link"


def test_a_sitemap_on_a_list_is_read_page_by_page() -> None:
    page = "<url><loc>http://b.org/1</loc><lastmod>{}</lastmod></url>"
    sitemap = f"<urlset>{page.format('1990-01-01')}</urlset>"
    first = read_watched("application/xml", sitemap.encode())
    assert first.document.text == "http://b.org/1 1990-01-01"
    later = read_watched("application/xml", sitemap.replace("1990", "1991").encode())
    assert later.marks != first.marks
    empty = read_watched("application/xml", b"<urlset></urlset>")
    assert empty.document.text == "nothing is listed at http://a.org/"


def test_whatever_a_page_on_a_list_orders_it_is_kept_where_it_is() -> None:
    head = "<link rel=canonical href=/b><meta name=robots content=noindex>"
    body = f"<title>A</title>{head}<p>All about a.".encode()
    past = "unavailable_after: 25 Jun 2001 15:00:00 GMT"
    asked = answer(HTML, body, robots_tag=past)
    for rules in (WATCHED, replace(WATCHED, select=("p",))):
        reading = read_answer(asked, rules)
        assert isinstance(reading, ReadDocument)
        page = reading.document
        assert (page.noindex, page.canonical, page.until_s) == (False, "", math.inf)
    assert read_page(HTML, body).document.noindex
    assert read_page(HTML, body).document.canonical == "http://a.org/b"


@pytest.mark.parametrize(
    "kind",
    [
        *("text/csv", "text/markdown", "text/css", "text/plain", ""),
        *(
            "application/xml",
            "text/xml",
            "application/vnd.x+xml",
        ),
        *("application/json", "application/yaml", "application/x-yaml"),
    ],
)
def test_texts_of_all_kinds_are_read_from_a_list(kind: str) -> None:
    body = b"one,  1\r\n\r\ntwo, 2\nSeen 3"
    assert read_watched(kind, body).document.text == "one, 1\ntwo, 2\nSeen 3"
    left = read_watched(kind, body, ignore_text=(".*Seen.*",))
    assert left.document.text == "one, 1\ntwo, 2"


@pytest.mark.parametrize("rules", [{}, {"number": "(.+)"}])
def test_where_lines_of_a_plain_text_break_is_no_news(rules: dict[str, str]) -> None:
    one = read_watched("text/plain", b"1 star is hot\nand far", **rules)
    other = read_watched("text/plain", b"1 star is\n\nhot  and far\n", **rules)
    third = read_watched("text/plain", b"1 star is\n\nhot and near\n", **rules)
    assert one.marks == other.marks != third.marks


@pytest.mark.parametrize(
    ("kind", "body", "reason"),
    [
        ("image/png", b"\x89PNG", "content type image/png"),
        (
            "application/octet-stream",
            b"\0",
            "content type application/octet-stream",
        ),
        ("", b"\0\1", "content type missing"),
        (HTML, b"<div id=app></div>", "there is no text in it"),
        ("text/plain", b" \n", "there is no text in it"),
        ("application/pdf", b"%PDF-", "application/pdf: broken or locked"),
    ],
)
def test_what_cannot_be_read_of_a_list_is_trouble_not_the_end(
    kind: str, body: bytes, reason: str
) -> None:
    reading = read_answer(answer(kind, body), WATCHED)
    assert reading == Unreadable(f"it cannot be read: {reason}", retry=True)


def test_only_bodies_of_pages_are_read() -> None:
    assert is_readable(answer())
    assert not is_readable(answer(status=304))
    assert not is_readable(answer(status=0, failure=Failure.TIMEOUT))


def test_what_could_not_be_read_this_time_is_kept_and_tried_again() -> None:
    """A reader may be taken down by something else than the page that it is at."""
    desk = Desk()
    desk.read()
    held = desk.holds()
    assert held
    done = desk.read(at_s=20.0, reading=Unreadable("not read within 30 s", retry=True))
    assert (done.observation.outcome, done.visit.remark) == (
        Outcome.FAILED,
        "not read within 30 s",
    )
    assert desk.holds() == held
    assert (
        desk.read(
            at_s=30.0, reading=Unreadable("content type image/png")
        ).observation.outcome
        is Outcome.SKIPPED
    )
    assert desk.holds() == set()
