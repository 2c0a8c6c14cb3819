"""Results as feeds: well-formed whatever pages call themselves, and read by others as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import fastfeedparser
import pytest
from lxml import etree

from trapline.app.web.neighbours.result_feed import FeedRequest, atom_feed, rss_feed
from trapline.oasis.neighbours.foreign_answers import read_answer
from trapline.search.hits import Fragment, Hit
from trapline.search.questions import Answer

ATOM = "{http://www.w3.org/2005/Atom}"
OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
SCORE = "{http://a9.com/-/opensearch/extensions/relevance/1.0/}score"
SNIPPET = (Fragment("the ", False), Fragment("moon", True), Fragment(" & Mars", False))
HIT = Hit(7, "http://a.org/?b=1&c=2", "The moon", SNIPPET, 3.0, 0.5, 0.0)
HITS = [
    replace(HIT, changed_s=100.0),
    replace(
        HIT, url="http://a.org/2", title="", snippet=(), score=1.0, changed_s=200.5
    ),
]
REQUEST = FeedRequest("stars", "http://127.0.0.1:8765", "red moon", count=2, skip=2)
FORMS = {"atom": atom_feed, "rss": rss_feed}
FORM = pytest.mark.parametrize("form", FORMS)


def written(form: str, answer: Answer, request: FeedRequest = REQUEST) -> bytes:
    return FORMS[form](request, answer)


def parsed(form: str, answer: Answer, request: FeedRequest = REQUEST) -> Any:
    """What holds the results."""
    root = etree.fromstring(written(form, answer, request))
    return root if form == "atom" else root.find("channel")


@FORM
def test_a_feed_tells_of_the_search(form: str) -> None:
    feed = parsed(form, Answer(HITS, 7, 0.1, meant="read moon"))
    facts = {
        name: feed.findtext(OPENSEARCH + name)
        for name in ("totalResults", "startIndex", "itemsPerPage")
    }
    assert facts == {"totalResults": "7", "startIndex": "3", "itemsPerPage": "2"}
    asked, meant = feed.findall(f"{OPENSEARCH}Query")
    assert dict(asked.attrib) == {
        "role": "request",
        "searchTerms": "red moon",
        "count": "2",
        "startIndex": "3",
        "language": "*",
    }
    assert dict(meant.attrib) == {"role": "correction", "searchTerms": "read moon"}


@FORM
def test_a_feed_leads_to_the_other_pages(form: str) -> None:
    feed = parsed(form, Answer(HITS, 7, 0.1), replace(REQUEST, language="de"))
    links = {one.get("rel"): one.get("href") for one in feed.findall(f"{ATOM}link")}
    here = "http://127.0.0.1:8765"
    pages = {"self": 3, "first": 1, "previous": 1, "next": 5, "last": 7}
    for rel, index in pages.items():
        said = f"q=red+moon&count=2&start_index={index}&format={form}&language=de"
        assert links[rel] == f"{here}/api/opensearch?{said}"
    assert links["search"] == f"{here}/opensearch.xml"
    last = parsed(form, Answer(HITS, 4, 0.1))
    rels = [one.get("rel") for one in last.findall(f"{ATOM}link")]
    assert "next" not in rels
    many = replace(REQUEST, skip=9_998, farthest=10_000)
    deep = parsed(form, Answer(HITS, 10**6, 0.1), many)
    links = {one.get("rel"): one.get("href") for one in deep.findall(f"{ATOM}link")}
    assert "start_index=10001&" in links["next"] == links["last"]


def test_atom_entries() -> None:
    feed = parsed("atom", Answer(HITS, 7, 0.1))
    one, two = feed.findall(f"{ATOM}entry")
    assert one.findtext(f"{ATOM}title") == "The moon"
    assert one.find(f"{ATOM}link").get("href") == one.findtext(f"{ATOM}id") == HIT.url
    assert one.findtext(f"{ATOM}summary") == "the moon & Mars"
    assert one.find(f"{ATOM}summary").get("type") == "text"
    assert one.findtext(f"{ATOM}updated") == "1970-01-01T00:01:40.000Z"
    assert (one.findtext(SCORE), two.findtext(SCORE)) == ("0.7500", "0.5000")
    assert two.findtext(f"{ATOM}title") == "http://a.org/2", "never nothing"
    assert feed.findtext(f"{ATOM}updated") == "1970-01-01T00:03:20.500Z"
    for needed in ("title", "id", "author"):
        assert feed.find(f"{ATOM}{needed}") is not None


def test_rss_items() -> None:
    channel = parsed("rss", Answer(HITS, 7, 0.1))
    assert channel.getparent().get("version") == "2.0"
    one, two = channel.findall("item")
    assert (one.findtext("title"), one.findtext("link")) == ("The moon", HIT.url)
    assert one.findtext("guid") == HIT.url
    assert one.findtext("description") == "the moon &amp; Mars", "HTML by custom"
    assert one.findtext("pubDate") == "Thu, 01 Jan 1970 00:01:40 +0000"
    assert (one.findtext(SCORE), two.findtext(SCORE)) == ("0.7500", "0.5000")


HOSTILE = [
    "a\x00b\x08\x0b\x1f",
    "]]><script>alert(1)</script><![CDATA[",
    "\ud800 half \udfff",
    "\ufffe\uffff\x85\u2028",
    "&lt;b&gt; &#0; &unknown; <!-- -- > ?>",
    "\"'<entry xmlns='x'>",
    "x" * 10_000_000,
    "\u202egnp.exe",
    "😀" * 1000,
    "",
]


@FORM
@pytest.mark.parametrize("title", HOSTILE, ids=range(len(HOSTILE)))
def test_a_feed_is_well_formed_whatever_is_in_it(form: str, title: str) -> None:
    hit = replace(HIT, title=title, snippet=(Fragment(title, True),))
    request = replace(REQUEST, query=title[:1000], engine=title[:1000])
    answer = Answer([hit, HITS[1]], 2, 0.1, meant=title[:1000])
    feed = written(form, answer, request)
    assert len(feed) < 100_000
    etree.fromstring(feed)
    for read in (fastfeedparser.parse(feed).entries, read_answer(feed)):
        assert len(read) == 2
    assert read_answer(feed)[0].url == HIT.url


@FORM
def test_other_readers_read_it(form: str) -> None:
    feed = fastfeedparser.parse(written(form, Answer(HITS, 7, 0.1)))
    one, two = feed.entries
    assert (one.title, one.link) == ("The moon", HIT.url)
    assert one.description.replace("&amp;", "&") == "the moon & Mars"
    assert one.published.startswith("1970-01-01T00:01:40")
    assert two.link == "http://a.org/2"


@FORM
def test_our_own_reader_reads_what_we_write(form: str) -> None:
    odd = "List<int> & <b>bold</b> text; 1 < 2"
    hit = replace(HIT, title=odd, snippet=(Fragment(odd, False),))
    [read] = read_answer(written(form, Answer([hit], 1, 0.1)))
    assert (read.url, read.title, read.text) == (HIT.url, odd, odd)


@FORM
def test_nothing_found_is_a_feed(form: str) -> None:
    feed = written(form, Answer([], 0, 0.1), replace(REQUEST, skip=0))
    assert read_answer(feed) == []
    assert b'rel="next"' not in feed and b'rel="last"' not in feed
