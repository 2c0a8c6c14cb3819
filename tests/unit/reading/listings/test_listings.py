"""Sitemaps and feeds as the controller and the store hear of them; scope, orders and languages of
pages.
"""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from tests.unit.robot.response.desk import HTML, Desk
from trapline.core.records import Kind, Outcome, Robots
from trapline.reading import pdf as pdf_reader

SITE = "http://example.org/"
NOW_S = 1.8e9


def sitemap(*entries: str) -> dict[str, Any]:
    urls = "".join(f"<url><loc>{SITE}{entry}</url>" for entry in entries)
    return {
        "body": f"<urlset>{urls}</urlset>".encode(),
        "content_type": "application/xml",
    }


def feed(*titles: str) -> dict[str, Any]:
    items = "".join(
        f"<item><title>{title}</title><link>/{title[0]}</link><pubDate>Thu, 01 Jan 1970 "
        "00:01:00 GMT</pubDate>"
        f"<description>all about {title}</description></item>"
        for title in titles
    )
    return {
        "body": f"<rss><channel>{items}</channel></rss>".encode(),
        "content_type": "application/rss+xml",
    }


def test_a_sitemap_is_held_without_words_and_its_entries_are_links() -> None:
    desk = Desk()
    done = desk.read(
        at_s=NOW_S,
        etag='"1"',
        **sitemap("b</loc><lastmod>1970-01-02</lastmod>", "space</loc>"),
    )
    assert done.page is not None
    assert (done.page.title, done.page.text, done.page.relevance, done.page.etag) == (
        "",
        "",
        0.0,
        '"1"',
    )
    assert (done.observation.outcome, done.observation.changed) == (Outcome.OK, True)
    assert desk.found(done) == [SITE + "b", SITE + "space"]
    assert (done.observation.links["address"] > 0.5).tolist() == [False, True]
    assert done.observation.signals.tolist() == [
        (desk.book.number(SITE + "b")[0], 86_400.0)
    ]
    assert done.visit.remark == "sitemap of 2 pages"


def test_a_sitemap_has_changed_when_its_list_or_its_dates_have() -> None:
    desk = Desk()
    desk.read(at_s=NOW_S, **sitemap("b</loc>"))
    same = desk.read(at_s=NOW_S + 1, **sitemap("b</loc>"))
    assert (same.observation.changed, same.seen, same.page) == (False, True, None)
    assert desk.read(
        at_s=NOW_S + 2, **sitemap("b</loc><lastmod>2001-01-01</lastmod>")
    ).observation.changed
    assert desk.read(
        at_s=NOW_S + 3, **sitemap("b</loc>", "c</loc>")
    ).observation.changed
    assert desk.read(304, at_s=NOW_S + 4).observation.outcome is Outcome.UNCHANGED


def test_items_of_a_feed_are_links_with_words_and_dates() -> None:
    desk = Desk()
    done = desk.read(at_s=NOW_S, **feed("space", "tea"))
    assert desk.found(done) == [SITE + "s", SITE + "t"]
    for clue in ("anchor", "context"):
        assert (done.observation.links[clue] > 0.5).tolist() == [True, False]
    assert done.observation.signals["modified_s"].tolist() == [60.0, 60.0]
    assert not desk.read(at_s=NOW_S + 1, **feed("space", "tea")).observation.changed
    assert desk.read(at_s=NOW_S + 2, **feed("milk", "space", "tea")).observation.changed


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<rdf:RDF xmlns:rdf='x'><person/></rdf:RDF>", "application/rdf+xml"),
        (
            b'{"version": "https://jsonfeed.org/version/1.1", "items": [',
            "application/json",
        ),
        (b"[" * 100_000 + b"jsonfeed.org/version/", "application/feed+json"),
        (b"\x1f\x8bnonsense", "application/gzip"),
        (b"", "application/rss+xml"),
    ],
)
def test_what_only_looks_like_a_feed_is_skipped(body: bytes, kind: str) -> None:
    done = Desk().read(body=body, content_type=kind)
    assert (done.observation.outcome, done.page) == (Outcome.SKIPPED, None)


def test_scope_comes_before_numbers() -> None:
    desk = Desk(in_scope=lambda url: url.startswith(SITE + "in"))
    for answer in (
        sitemap("in/1</loc>", "out/1</loc>"),
        feed("out", "tea"),
        {
            "body": b"<a href=/in/2>x</a><a href=/out/2>y</a><a href=http://elsewhere.org/>z</a>"
        },
    ):
        desk.read(**answer)
    assert desk.book.pages == ["http://example.org/a", SITE + "in/1", SITE + "in/2"]


def test_robots_txt_names_sitemaps() -> None:
    desk = Desk()
    text = b"User-agent: x\nDisallow: /\nSitemap: /one.xml\nSITEMAP: http://example.org/two.xml\n"
    done = desk.read(200, kind=Kind.ROBOTS, url=SITE + "robots.txt", body=text)
    assert desk.found(done) == [SITE + "one.xml", SITE + "two.xml"]
    assert isinstance(done.robots, Robots)
    assert (
        desk.found(desk.read(404, kind=Kind.ROBOTS, url=SITE + "robots.txt", body=text))
        == []
    )


def test_pages_name_their_feeds_and_sitemaps() -> None:
    desk = Desk()
    head = (
        b"<link rel=alternate type='application/rss+xml' href=/rss title='space news'><link "
        b"rel=sitemap href=/map>"
        b"<link rel=alternate hreflang=de href=/de><link rel='alternate nofollow' "
        b"type=application/atom+xml href=/no>"
    )
    done = desk.read(body=b"<head>" + head + b"</head><p>Words")
    assert desk.found(done) == [SITE + "rss", SITE + "map"]
    assert done.observation.links["anchor"][0] > 0.5
    hidden = desk.read(
        body=b"<head><meta name=robots content=nofollow>" + head + b"</head><p>Words"
    )
    assert desk.found(hidden) == []


@pytest.mark.parametrize(
    ("tag", "kept", "followed"),
    [
        ("", True, True),
        ("noindex", False, True),
        ("nofollow", True, False),
        ("none", False, False),
        ("otherbot: none", True, True),
        ("otherbot: none\nTrapline: noindex", False, True),
        ("unavailable_after: 1 Jan 2020 00:00:00 GMT", False, True),
        ("unavailable_after: 1 Jan 2100 00:00:00 GMT", True, True),
    ],
)
def test_headers_order_like_the_page_itself(
    tag: str, kept: bool, followed: bool
) -> None:
    done = Desk().read(at_s=NOW_S, robots_tag=tag)
    assert (done.page is not None, len(done.observation.links) > 0) == (kept, followed)
    plain = Desk().read(
        at_s=NOW_S, robots_tag=tag, body=b"space", content_type="text/plain"
    )
    assert (plain.page is not None) is kept
    listed = Desk().read(at_s=NOW_S, robots_tag=tag, **sitemap("b</loc>"))
    assert (listed.page is not None, len(listed.observation.links) > 0) == (
        True,
        followed,
    )


def test_a_page_in_a_foreign_language_is_not_kept_but_leads_on() -> None:
    desk = Desk(speaks=lambda language: language == "en")
    desk.read()
    done = desk.read(body=b"<html lang=de-AT>" + HTML, at_s=20.0)
    assert (done.observation.outcome, done.page, done.gone, done.visit.remark) == (
        Outcome.OK,
        None,
        True,
        "language de",
    )
    assert len(done.observation.links) == 2
    english = desk.read(body=b"<html lang=en>" + HTML, at_s=30.0)
    assert english.page is not None and english.page.language == "en"
    german = (
        "<p>Die Sterne stehen am Himmel, und wer lange genug hinsieht, der merkt, dass sie "
        "sich langsam bewegen. "
        "Früher glaubten die Menschen, dass die Erde in der Mitte steht und alles andere um "
        "sie kreist. "
        "Heute wissen wir, dass es umgekehrt ist."
    )
    assert desk.read(body=german.encode(), at_s=40.0).visit.remark == "language de"


def test_a_pdf_without_the_extra_is_skipped_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pdf_reader, "find_spec", lambda name: None)
    done = Desk().read(body=b"%PDF-1.4", content_type="application/pdf")
    assert done.observation.outcome is Outcome.SKIPPED
    assert done.visit.remark == "application/pdf: install trapline[pdf] to read it"


def test_a_gzipped_sitemap_is_told_by_its_first_bytes() -> None:
    answer = sitemap("b</loc>")
    for kind in (
        "application/gzip",
        "application/x-gzip",
        "application/octet-stream",
        "text/xml",
        "",
    ):
        desk = Desk()
        done = desk.read(body=gzip.compress(answer["body"]), content_type=kind)
        assert desk.found(done) == [SITE + "b"], kind
