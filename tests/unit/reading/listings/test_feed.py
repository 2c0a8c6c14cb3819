"""Feeds: RSS, Atom, RDF and JSON; sloppy ones, and those made to hurt."""

from __future__ import annotations

import pytest

from trapline.reading.listings import feed_items
from trapline.reading.listings.entries import Entry
from trapline.reading.listings.feed import read_feed
from trapline.reading.listings.feed_items import MOST_ITEMS

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


@pytest.mark.parametrize(
    ("item", "target"),
    [
        ("<link>/b?x=1&y=2</link>", "/b?x=1&y=2"),  # not escaped
        ("<link>/b?x=1&copy=2&amp;z</link>", "/b?x=1&copy=2&z"),
        ("<link>/b?x=1&unheard;y</link>", "/b?x=1&unheard;y"),
        ("<link><![CDATA[ /b?x=1&y=2 ]]></link>", "/b?x=1&y=2"),
        ("<title>a&nbsp;&eacute;</title><link>/b</link>", "/b"),
        ("<link>\n  /b\n </link>", "/b"),
        ("<guid>http://example.org/b</guid>", "/b"),
        ("<guid isPermaLink='true'>http://example.org/b</guid>", "/b"),
        ("<guid isPermaLink='false'>http://example.org/b</guid>", None),
        ("<guid ispermalink='False'>http://example.org/b</guid>", None),
        ("<guid isPermaLink='true'>4711</guid>", None),
        ("<guid>http://example.org/b</guid><link>/c</link>", "/c"),
        ("<link/><guid>http://example.org/b</guid>", "/b"),
        (
            "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='self' href='/self'/>"
            "<link>/b</link>",
            "/b",
        ),
        ("<atom:link rel='self' href='/self'/><link>/b</link>", "/b"),
        ("<link>/r</link><f:origLink xmlns:f='f'>/b</f:origLink>", "/b"),
        ("<source><link>/other</link></source><link>/b</link>", "/b"),
        (
            "<m:link xmlns:m='http://search.yahoo.com/mrss/'>/c</m:link>"
            "<link>/b</link>",
            "/b",
        ),
    ],
)
def test_the_link_of_an_item(item: str, target: str | None) -> None:
    expected = [] if target is None else [f"http://example.org{target}"]
    assert [entry.url for entry in read(rss(item))] == expected


@pytest.mark.parametrize(
    ("links", "target"),
    [
        ("<link href='/b?x=1&y=2'/>", "/b?x=1&y=2"),
        ("<link href='/j' type='application/json'/><link href='/b'/>", "/b"),
        (
            "<link href='/j' type='application/json'/>"
            "<link href='/b' type='text/html; charset=utf-8'/>",
            "/b",
        ),
        ("<link href='/j' type='application/json'/>", "/j"),
        ("<link rel='related' href='/c'/>", None),
        ("<id>http://example.org/c</id>", None),
        (
            "<link rel='http://www.iana.org/assignments/relation/alternate' "
            "href='/b'/>",
            "/b",
        ),
    ],
)
def test_the_links_of_atom(links: str, target: str | None) -> None:
    body = f"<feed xmlns='{ATOM}'><entry>{links}</entry></feed>"
    expected = [] if target is None else [f"http://example.org{target}"]
    assert [entry.url for entry in read(body)] == expected


@pytest.mark.parametrize(
    ("feed", "entry", "link", "target"),
    [
        ("http://b.org/x/", "", "", "http://b.org/x/c"),
        ("http://b.org/x/", "y/", "", "http://b.org/x/y/c"),
        ("http://b.org/x/", "y/z", "../", "http://b.org/x/c"),
        ("", "", "../y/", "http://example.org/y/c"),
        ("http://b.org/x/", "/y/", "", "http://b.org/y/c"),
        ("http://b.org/x/", "javascript:alert(1)", "", "http://b.org/x/c"),
        ("http://b.org/x/", "http://[", "", "http://b.org/x/c"),
    ],
)
def test_the_base_of_links(feed: str, entry: str, link: str, target: str) -> None:
    """On any element above, nested and relative; what is no base says nothing."""
    bases = [f"xml:base='{base}'" if base else "" for base in (feed, entry, link)]
    atom = (
        f"<feed xmlns='{ATOM}' {bases[0]}><entry {bases[1]}>"
        f"<link {bases[2]} href='c'/></entry></feed>"
    )
    rss_feed = (
        f"<rss {bases[0]}><channel><item {bases[1]}><link {bases[2]}>c</link></item>"
        "</channel></rss>"
    )
    for body in (atom, rss_feed):
        assert [entry.url for entry in read(body)] == [target]


def test_a_base_ends_with_its_element() -> None:
    body = (
        "<rss><channel><item xml:base='http://b.org/'><link>c</link></item>"
        "<item><link>c</link></item></channel></rss>"
    )
    assert [entry.url for entry in read(body)] == [
        "http://b.org/c",
        "http://example.org/feeds/c",
    ]


def test_rdf_names_its_items() -> None:
    rdf = (
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns='http://purl.org/rss/1.0/'><channel rdf:about='/x'><items/></channel>"
        "<item rdf:about='/b'><title>T</title></item></rdf:RDF>"
    )
    assert [entry[:2] for entry in read(rdf)] == [("http://example.org/b", "T")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1"])
@pytest.mark.parametrize("declared", [True, False])
def test_encodings(encoding: str, declared: bool) -> None:
    name = encoding.removesuffix("-sig")
    head = f"<?xml version='1.0' encoding='{name}'?>" if declared else ""
    body = head + rss("<title>Größe – naïve façade</title><link>/b?x&y</link>")
    [entry] = read(body.replace("–", "-").encode(encoding))
    assert entry[:2] == ("http://example.org/b?x&y", "Größe - naïve façade")


def test_html_in_titles_and_entities_of_html() -> None:
    [entry] = read(
        rss(
            "<title>Tea &amp;amp; caf&eacute;&nbsp;&lt;b&gt;x&lt;/b&gt;</title>"
            "<link>/b</link>"
        )
    )
    assert entry.text == "Tea & café x"


@pytest.mark.parametrize(
    "item",
    [
        '{"id": "http://example.org/b"}',
        '{"id": "1", "external_url": "/b"}',
        '{"id": "http://example.org/c", "url": "/b", "external_url": "/d"}',
    ],
)
def test_the_link_of_a_json_item(item: str) -> None:
    body = f'{{"version": "https://jsonfeed.org/version/1", "items": [{item}]}}'
    assert [entry.url for entry in read(body)] == ["http://example.org/b"]


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
    monkeypatch.setattr(feed_items, "MOST_TAGS", 20)
    assert 2 <= len(read(rss(*(f"<link>/{n}</link>" for n in range(100))))) <= 10


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
        laughs().replace("<link>/b", "<link href='&l9;'>/b").encode(),
        b"<rss><channel>" + b"<item/>" * 700_000,
        rss("<link>/b</link>", *["<![CDATA[&]]>"] * 90_000).encode(),
        b"<rss><channel>" + b"<item><title><![CDATA[" * 200_000,
    ],
    ids=[
        "laughs",
        "file",
        "items",
        "deep",
        "attribute",
        "empty items",
        "marks",
        "sections",
    ],
)
def test_what_is_made_to_hurt_is_harmless(body: bytes) -> None:
    found = read_feed(body, URL, NOW_S)
    assert found is None or (
        len(found.entries) <= 2 and "root:" not in str(found) and len(str(found)) < 1000
    )
