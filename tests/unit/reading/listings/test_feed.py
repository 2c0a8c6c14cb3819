"""Feeds: RSS, Atom, RDF and JSON; sloppy ones, and those made to hurt."""

from __future__ import annotations

import pytest

from trapline.reading.listings import feed as feed_reader
from trapline.reading.listings.entries import Entry
from trapline.reading.listings.feed import MOST_ITEMS, read_feed

URL = "http://example.org/feeds/all"
NOW_S = 1.8e9
ATOM = "http://www.w3.org/2005/Atom"


def read(body: bytes | str) -> list[Entry]:
    found = read_feed(body.encode() if isinstance(body, str) else body, URL, NOW_S)
    assert found is not None
    assert found.what == f"feed of {len(found.entries)} items"
    return list(found.entries)


def rss(*items: str) -> str:
    return (
        "<rss><channel><title>All</title>"
        + "".join(f"<item>{item}</item>" for item in items)
        + "</channel></rss>"
    )


def test_rss() -> None:
    [entry] = read(
        rss(
            "<title>Hot &amp; far</title><link>../stars?a=1</link>"
            "<description>&lt;p&gt;Some &lt;b&gt;stars&lt;/b&gt; are</description>"
            "<pubDate>Thu, 01 Jan 1970 00:01:00 +0000</pubDate>"
        )
    )
    assert entry == Entry(
        "http://example.org/stars?a=1", "Hot & far", "Some stars are", 60.0
    )


@pytest.mark.parametrize(
    "links",
    [
        "<link href='/b'/>",
        "<link rel='edit' href='/edit'/><link rel='alternate' href='/b'/>",
        "<link rel='edit' href='/edit'/><link href='/b'/>",
        "<link rel='enclosure' href='/b.mp3'/><link href='/b'/>",
    ],
)
def test_atom(links: str) -> None:
    body = (
        f"<feed xmlns='{ATOM}'><entry><title type='html'>A &lt;i&gt;b&lt;/i&gt;</title>{links}"
        "<published>1970-01-01T00:00:00Z</published><updated>1970-01-01T00:00:30Z</updated>"
        "</entry></feed>"
    )
    assert read(body) == [Entry("http://example.org/b", "A b", "", 30.0)]


def test_rdf_and_json() -> None:
    rdf = (
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns='http://purl.org/rss/1.0/'>"
        "<item><title>T</title><link>/b</link></item></rdf:RDF>"
    )
    json = (
        '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": '
        '"/b", "title": "T"}]}'
    )
    assert (
        [entry[:2] for entry in read(rdf)]
        == [entry[:2] for entry in read(json)]
        == [("http://example.org/b", "T")]
    )


def test_items_that_lead_nowhere_or_to_the_feed_or_twice() -> None:
    items = [
        f"<link>{link}</link>"
        for link in ("/b", "/b#x", URL, "mailto:me", "http://", "http://other.org/c")
    ]
    assert [entry.url for entry in read(rss("<title>T</title>", *items))] == [
        "http://example.org/b",
        "http://other.org/c",
    ]


def test_a_date_in_the_future_says_nothing() -> None:
    [entry] = read(
        rss("<link>/b</link><pubDate>Thu, 01 Jan 2099 00:00:00 GMT</pubDate>")
    )
    assert entry.modified_s != entry.modified_s


def test_only_the_first_items_and_words_are_read() -> None:
    entries = read(
        rss(
            *(
                f"<link>/{n}</link><title>{'word ' * 100}</title>"
                for n in range(MOST_ITEMS + 5)
            )
        )
    )
    assert len(entries) == MOST_ITEMS
    assert len(entries[0].text) <= 200


def test_a_feed_with_too_many_tags_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_reader, "MOST_TAGS", 20)
    assert 2 <= len(read(rss(*(f"<link>/{n}</link>" for n in range(100))))) <= 5


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 1000,
        b"<html><p>No",
        b"<svg/>",
        b"{}",
        b"[" * 100_000,
        b"\xff\xfe<r",
    ],
)
def test_what_is_no_feed(body: bytes) -> None:
    found = read_feed(body, URL, NOW_S)
    assert found is None or not found.entries


def laughs() -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]>' + rss(
        "<title>&l9;</title><link>/b</link>"
    )


@pytest.mark.parametrize(
    "body",
    [
        laughs().encode(),
        b'<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        + rss("<title>&x;</title><link>/b</link>").encode(),
        rss("<link>/b</link>", *["<link>/c</link>"] * 200_000).encode(),
        b"<rss><channel>" + b"<a>" * 1_000_000,
        b"<rss><channel>" + b"<item/>" * 700_000,
        b"<rss><channel>" + b"<item><title><![CDATA[" * 200_000,
    ],
    ids=["laughs", "file", "items", "deep", "empty items", "sections"],
)
def test_what_is_made_to_hurt_is_harmless(body: bytes) -> None:
    found = read_feed(body, URL, NOW_S)
    assert found is None or (
        len(found.entries) <= 2 and "root:" not in str(found) and len(str(found)) < 1000
    )
