"""Answers of other engines: what is good in them is read, the rest does no harm."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core.errors import AnswerUnreadable
from trapline.core.urls import canonical
from trapline.oasis.neighbours.foreign_answers import MOST_BYTES, read_answer
from trapline.oasis.neighbours.foreign_hits import ForeignHit, collect_hits

JSON = "application/json"
ATOM = "application/atom+xml"
RSS = "application/rss+xml"
MOON = ForeignHit("http://a.org/moon", "The moon", "It is red & round.")
MARS = ForeignHit("http://b.org/", "Mars", "")

# as SearXNG 2026 answers: more fields than are read, some of them empty
SEARXNG = {
    "query": "moon",
    "number_of_results": 0,
    "results": [
        {
            "url": "http://A.org/moon#phases",
            "title": "The moon",
            "content": "It is red & round.",
            "engine": "a",
            "parsed_url": ["http", "a.org", "/moon", "", "", ""],
            "positions": [1, 2],
            "publishedDate": None,
        },
        {"url": "http://b.org", "title": "Mars", "content": None},
    ],
    "answers": [],
    "unresponsive_engines": [["b", "timeout"]],
}
TRAPLINE = {
    "hits": [
        {
            "page": 7,
            "url": "http://a.org/moon",
            "title": "The moon",
            "snippet": [["It is ", False], ["red", True], [" & round.", False]],
            "score": 3.5,
        },
        {"page": 8, "url": "http://b.org/", "title": "Mars", "snippet": []},
    ],
    "total": 2,
    "seconds": 0.01,
}
ATOM_FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">
  <title>Search</title> <o:totalResults>2</o:totalResults>
  <link rel="self" href="http://c.org/feed"/>
  <entry>
    <title type="html">The &lt;b&gt;moon&lt;/b&gt;</title>
    <link rel="replies" href="http://a.org/comments"/>
    <link href="http://a.org/moon"/>
    <content type="html">It is &lt;i&gt;red&lt;/i&gt; &amp;amp; round.</content>
  </entry>
  <entry><title>Mars</title><link rel="alternate" href="http://b.org/"/></entry>
  <entry><title>nowhere</title></entry>
</feed>"""
RSS_FEED = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
  <title>Search</title><link>http://c.org/</link>
  <atom:link rel="search" href="http://c.org/osd.xml"/>
  <item><title>The moon</title><link> http://a.org/moon </link>
   <description>It is &lt;b&gt;red&lt;/b&gt; &amp;amp; round.</description></item>
  <item><title>Mars</title><link>http://b.org/</link></item>
</channel></rss>"""


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (json.dumps(SEARXNG), JSON),
        (json.dumps(SEARXNG), "application/json; charset=utf-8"),
        (json.dumps(SEARXNG), ""),
        ("\ufeff" + json.dumps(TRAPLINE), "text/plain"),
        (json.dumps(TRAPLINE), JSON),
        (ATOM_FEED, ATOM),
        (ATOM_FEED, "Application/XML"),
        (ATOM_FEED, "application/octet-stream"),
        (RSS_FEED, RSS),
        ("\n" + RSS_FEED, ""),
    ],
)
def test_every_make_of_engine_is_read(body: str, kind: str) -> None:
    assert read_answer(body.encode(), kind) == [MOON, MARS]


def test_nothing_found_is_an_answer() -> None:
    for body in ('{"results": []}', '{"hits": []}', "<rss><channel/></rss>"):
        assert read_answer(body.encode()) == []


BOMB = (
    b'<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(
        b'<!ENTITY %c "%s">' % (n, b"&%c;" % (n - 1) * 10) for n in range(98, 107)
    )
    + b"]><rss><channel><item><title>&j;</title><link>http://a/</link></item></channel></rss>"
)
FILE = (
    b'<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    b"<rss><channel><item><title>&f;</title><link>http://a/</link></item></channel></rss>"
)


@pytest.mark.parametrize(
    ("body", "kind", "problem"),
    [
        (b"", JSON, "not JSON"),
        (b"", "", "neither JSON nor a feed"),
        (b"<html><p>403 Forbidden</html>", "text/html", "text/html"),
        (b"moon", "", "neither JSON nor a feed"),
        (b"[1, 2]", JSON, "neither results nor hits"),
        (b'{"results": {"0": 1}}', JSON, "neither results nor hits"),
        (b'{"results": "http://a.org/"}', JSON, "neither results nor hits"),
        (b'{"error": "too many"}', JSON, "neither results nor hits"),
        (b'{"results": [', JSON, "not JSON"),
        (b'{"results": ' + b"[" * 500_000, JSON, "not JSON"),
        (b'{"results": [' + b"9" * 100_000 + b"]}", JSON, "not JSON"),
        (b'{"results": ["\xff\xfe"]}', JSON, "not JSON"),
        (b" " * (MOST_BYTES + 1), JSON, "more than 2,000,000 bytes"),
        (b"<rss><channel>", RSS, "not well-formed"),
        (b"<a>" * 100_000, RSS, "not well-formed"),
        (b"\0<rss/>", RSS, "not well-formed"),
        (b'<?xml version="1.0" encoding="klingon"?><rss/>', RSS, "not well-formed"),
        (b"<feed><entry/></feed>", ATOM, "neither Atom nor RSS"),
        (b"<html/>", "text/xml", "neither Atom nor RSS"),
        (BOMB, RSS, "DOCTYPE|not well-formed"),
        (FILE, RSS, "DOCTYPE"),
        (b"x", "a" * 10_000, "a{40}'"),
    ],
)
def test_what_is_no_list_of_hits_is_named(body: bytes, kind: str, problem: str) -> None:
    with pytest.raises(AnswerUnreadable, match=problem) as found:
        read_answer(body, kind)
    assert len(str(found.value)) < 200


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://a.org/",
        "file:///etc/passwd",
        "//a.org/",
        "/moon",
        "",
        "http://",
        "http://a.org:25/",
        "http://a.org/" + "x" * 3000,
        "http://a.org/\ud800",
        "http://a.org/\x00",
        17,
        None,
        ["http://a.org/"],
    ],
)
def test_only_addresses_of_the_web_are_hits(address: Any) -> None:
    results = [{"url": address, "title": "x"}, {"title": "x"}, None, 7, "x", MARS.url]
    results.append({"url": MARS.url, "title": "Mars"})
    for body in ({"results": results}, {"hits": results}):
        assert read_answer(json.dumps(body).encode(), JSON) == [MARS]


def test_credentials_are_not_passed_on() -> None:
    [hit] = collect_hits([("http://me:secret@a.org/", "", "")])
    assert hit.url == "http://a.org/"


def test_lengths_and_numbers_are_bounded() -> None:
    results = [
        {"url": f"http://a.org/{n}", "title": "t" * 5000, "content": "c" * 5000}
        for n in range(150)
    ]
    found = read_answer(json.dumps({"results": results}).encode(), JSON)
    assert len(found) == 100 and found[-1].url == "http://a.org/99"
    assert {(len(hit.title), len(hit.text)) for hit in found} == {(500, 2000)}


def test_a_page_counts_once() -> None:
    urls = ["http://a.org/", "http://A.org/#x", "http://b.org/", "http://a.org"]
    results = [{"url": url, "title": str(n)} for n, url in enumerate(urls)]
    found = read_answer(json.dumps({"results": results}).encode(), JSON)
    assert [(hit.url, hit.title) for hit in found] == [
        ("http://a.org/", "0"),
        ("http://b.org/", "2"),
    ]


def test_texts_can_be_written_anywhere() -> None:
    odd = "a\x00b\x1b[2Jc\ud800d\uffffe\u0085f\r\n\tg"
    body = json.dumps({"results": [{"url": MARS.url, "title": odd, "content": odd}]})
    [hit] = read_answer(body.encode(), JSON)
    assert hit.title == hit.text == "a b [2Jc d e f g"
    hit.title.encode()


def test_scripts_are_no_text() -> None:
    markup = "&lt;p&gt;red&lt;script&gt;alert(1)&lt;/script&gt; moon&lt;img src=x onerror=y&gt;"
    body = RSS_FEED.replace("It is", markup).encode()
    assert read_answer(body, RSS)[0].text == "red moon red & round."


ODD = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.just(MARS.url),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["url", "title", "snippet", "content"]), inner
        )
    ),
)


@given(st.lists(ODD, max_size=6), st.sampled_from(["results", "hits"]))
def test_odd_json_gives_hits_or_none(values: list[Any], name: str) -> None:
    for hit in read_answer(json.dumps({name: values}).encode(), JSON):
        assert canonical(hit.url) == hit.url


@given(st.binary(max_size=200), st.sampled_from([JSON, ATOM, RSS, "", "text/html"]))
def test_garbage_is_refused_or_read(body: bytes, kind: str) -> None:
    with contextlib.suppress(AnswerUnreadable):
        assert read_answer(body, kind) == []
