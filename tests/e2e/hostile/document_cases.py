"""Documents that hurt who reads them: too deep, too wide, too long, in letters that
nobody knows.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable

from tests.e2e.hostile.case import Case
from tests.e2e.hostile.hostile_server import GOOD, whole
from tests.e2e.hostile.wire_cases import READ, lazily

LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
DTD = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]>'
LEVELS = 100_000


def _markup() -> dict[str, Callable[[], bytes]]:
    def many(piece: bytes, count: int = LEVELS) -> bytes:
        return piece * count + b"<p>end"

    def counted(piece: bytes, count: int) -> bytes:
        return b"".join(piece % n for n in range(count)) + b"<p>end"

    return {
        "100,000 levels": lambda: many(b"<div>"),
        "100,000 levels of lists": lambda: many(b"<ul><li>"),
        "100,000 levels of tables": lambda: many(b"<table><tr><td>"),
        "100,000 levels of drawings": lambda: many(b"<svg>"),
        "100,000 levels of formulas": lambda: many(b"<math><mi>"),
        "100,000 templates": lambda: many(b"<template>"),
        "100,000 framesets": lambda: many(b"<frameset>"),
        "100,000 options": lambda: b"<select>" + many(b"<option>x"),
        "levels hidden by comments": lambda: many(b"<div><!--</div>-->", 60_000),
        "levels hidden by attributes": lambda: many(b"<div a='</div>'>", 90_000),
        "levels hidden by odd comments": lambda: many(b"<div><!x </div>", 90_000),
        "levels hidden by text areas": lambda: many(
            b"<div><textarea></div></textarea>", 40_000
        ),
        "levels hidden by odd end tags": lambda: many(
            b"<div><style></stylex></div></style>", 40_000
        ),
        "levels hidden by scripts in scripts": lambda: many(
            b"<div><script><!--<script></script></div>--></script>", 30_000
        ),
        "levels hidden by a drawing": lambda: (
            b"<svg><title>" + many(b"<path/>", 90_000)
        ),
        "levels hidden by spaces": lambda: many("<div\u00a0></div>".encode(), 90_000),
        "levels hidden by foreign letters": lambda: many(
            "<lin\u212a>".encode(), 190_000
        ),
        "bold that is copied": lambda: counted(b"<p><b a=%d>", 90_000),
        "bold that is copied, its end hidden": lambda: counted(
            b"<p><b a=%d t='</b>'>", 5_000
        ),
        "links within links": lambda: many(b"<a href=x>"),
        "an attribute of 10 MB": lambda: b"<p title='" + b"x" * 10_000_000 + b"'>end",
        "a million attributes": lambda: (
            b"<p " + b" ".join(b"a%d=1" % n for n in range(1_000_000)) + b">end"
        ),
        "a million links": lambda: counted(b"<a href=%d>", 1_000_000),
        "a million links in good order": lambda: counted(b"<a href=%d>w</a>", 700_000),
        "the same link a million times": lambda: many(b"<a href=/x>y</a>", 900_000),
        "a link of 10 MB": lambda: b"<a href='" + b"x" * 10_000_000 + b"'>y</a>",
        "a title of 10 MB": lambda: (
            b"<title>" + b"word " * 2_000_000 + b"</title><p>end"
        ),
        "a title without end": lambda: b"<title>" + b"word " * 1_000_000,
        "a comment without end": lambda: b"<p>end<!--" + b" -- <p> " * 1_500_000,
        "a script without end": lambda: b"<p>end<script>" + b"a<b>c " * 2_000_000,
        "CDATA without end": lambda: b"<p>end<svg><![CDATA[" + b"x]]" * 3_000_000,
        "a text area without end": lambda: b"<p>end<textarea>" + b"<b>" * 1_000_000,
        "plaintext": lambda: b"<p>end<plaintext>" + b"<b>" * 1_000_000,
        "a million metas": lambda: many(b"<meta name=a content=b>", 600_000),
        "metas just below the limit": lambda: many(b"<meta name=a content=b>", 190_000),
        "a million headings": lambda: many(b"<h1>x</h1>", 1_000_000),
        "nothing but <": lambda: b"<" * 10_000_000,
        "nothing but <a": lambda: b"<a " * 3_000_000,
        "nothing but quotes": lambda: b"<a href='" * 1_500_000,
        "nothing but &amp;": lambda: b"&amp;" * 2_500_000,
        "a number beyond all": lambda: b"&#" + b"9" * 10_000_000 + b";",
        "&#xD800; and its kin": lambda: (
            b"<p>&#xD800;&#xDFFF;&#0;&#x110000;&#xFFFE; end" * 9_999
        ),
        "one word of 10 MB": lambda: b"<p>" + b"x" * 10_000_000,
        "a million words": lambda: (
            b"<p>" + b" ".join(b"w%d" % n for n in range(1_000_000))
        ),
        "nothing but spaces": lambda: b"<p>" + b" " * 10_000_000,
        "marks upon marks": lambda: b"<p>a" + "\u0301".encode() * 3_000_000,
        "right to left": lambda: (
            "<title>\u202egood\u202c</title><p>\u202e\u2066end".encode() * 999
        ),
        "links with NULs, tabs and lines": lambda: (
            b"<a href='/a\0b'>x</a><a href='/a\tb\nc'>y</a><a href='http://a\0b/'>z</a><p>end"
        ),
        "link texts of NULs, halves and lines": lambda: (
            b"<a href=/x>a&#0;b &#xD83D;\xed\xa0\xbd \x01\x0b\x85\xe2\x80\xa8c</a><p>end"
        ),
        "50,000 links that turn their words": lambda: counted(
            "<a href=%d>\u202efdp.\u2066 of\u202c</a>".encode(), 50_000
        ),
        "a link text of 5 MB": lambda: (
            b"<a href=/x>" + b"x" * 5_000_000 + b"</a><p>end"
        ),
        "a path of dots": lambda: b"<a href='" + b"../" * 600 + b"x'>x</a><p>end",
        "base of garbage": lambda: b"<base href='http://[::1'><a href=x>x</a><p>end",
    }


def _letters() -> dict[str, tuple[bytes, bytes]]:
    """name → (body, Content-Type)"""
    words = "Grüße an die schöne Straße, end. " * 9
    noise = random.Random(7).randbytes(300_000)
    return {
        "unknown charset": (words.encode(), b"text/html; charset=klingon"),
        "charset of 7 KB": (words.encode(), b"text/html; charset=" + b"x" * 7_000),
        "UTF-7": (b"<p>+ADw-script+AD4- end", b"text/html; charset=utf-7"),
        "says UTF-16, is not": (words.encode(), b"text/html; charset=utf-16"),
        "says UTF-8, is UTF-16": (
            words.encode("utf-16-le"),
            b"text/html; charset=utf-8",
        ),
        "UTF-16 of odd length": (
            b"\xff\xfe" + words.encode("utf-16-le") + b"x",
            b"text/html",
        ),
        "UTF-16 with lone halves": (
            b"\xff\xfe" + b"\x00\xd8" * 999 + "end".encode("utf-16-le"),
            b"text/html",
        ),
        "UTF-32": (words.encode("utf-32"), b"text/html"),
        "a mark of UTF-8 before Latin-1": (
            b"\xef\xbb\xbf" + words.encode("latin-1"),
            b"text/html",
        ),
        "Latin-1 and UTF-8 mixed": (
            words.encode() + words.encode("latin-1"),
            b"text/html; charset=utf-8",
        ),
        "EBCDIC": (words.encode("cp037"), b"text/html; charset=cp037"),
        "longer than need be": (
            b"<p>\xc0\xbcscript\xc0\xbe\xe0\x80\xaf end",
            b"text/html; charset=utf-8",
        ),
        "NULs in title and text": (b"<title>a\0b</title><p>c\0d end", b"text/html"),
        "nothing but NULs": (bytes(5_000_000), b"text/html"),
        "noise as HTML": (noise, b"text/html"),
        "noise as text": (noise, b"text/plain"),
        "a picture as HTML": (b"\x89PNG\r\n\x1a\n" + noise, b"text/html"),
        "text of NULs": (b"end\0" * 99_999, b"text/plain"),
    }


def _feeds() -> dict[str, tuple[bytes, bytes]]:
    def urlset(inside: str) -> bytes:
        opening = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return f"{opening}{inside}</urlset>".encode()

    def rss(inside: str) -> bytes:
        return f"<rss version='2.0'><channel><title>t</title>{inside}</channel></rss>".encode()

    laughing = "<url><loc>http://127.0.0.1/&l9;</loc></url>"
    outside = (
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    )
    xml = b"application/xml"
    feed = b"application/rss+xml"
    return {
        "sitemap: a billion laughs": (DTD.encode() + urlset(laughing), xml),
        "sitemap: an entity from a file": (
            outside.encode() + urlset("<url><loc>http://127.0.0.1/&e;</loc></url>"),
            xml,
        ),
        "sitemap: cut short": (
            urlset("<url><loc>http://127.0.0.1/a</loc></url>" * 99)[:-40],
            xml,
        ),
        "sitemap: 100,000 levels": (b"<urlset>" + b"<url>" * LEVELS, xml),
        "sitemap: not XML": (b"this is no XML", xml),
        "sitemap: binary": (bytes(range(256)) * 99, xml),
        "sitemap: of itself": (
            b"<sitemapindex><sitemap><loc>/bad</loc></sitemap></sitemapindex>",
            xml,
        ),
        "sitemap: 200,000 places": (
            urlset("".join(f"<url><loc>/{n}</loc></url>" for n in range(200_000))),
            xml,
        ),
        "sitemap: gzip within": (
            gzip.compress(urlset("<url><loc>/a</loc></url>")),
            b"application/x-gzip",
        ),
        "feed: a billion laughs": (
            DTD.encode() + rss("<item><title>&l9;</title></item>"),
            feed,
        ),
        "feed: an entity from a file": (
            outside.encode() + rss("<item><title>&e;</title></item>"),
            feed,
        ),
        "feed: cut short": (
            rss("<item><title>x</title><link>/a</link></item>" * 99)[:-40],
            feed,
        ),
        "feed: 50,000 items": (
            rss("<item><title>x</title><link>/a</link></item>" * 50_000),
            feed,
        ),
        "feed: dates of garbage": (
            rss("<item><title>x</title><pubDate>soon</pubDate></item>" * 9),
            feed,
        ),
        "feed: bases of garbage": (
            rss(
                "<item xml:base='http://['><link xml:base=':'>//</link></item>"
                "<item xml:base='file:///etc/'><link>passwd</link></item>" * 99
            ),
            feed,
        ),
        "feed: ampersands": (
            rss("<item><link>/?&&&x&y;&#0;&#x110000;</link>" * 99),
            feed,
        ),
        "feed: as JSON": (
            b'{"version": "https://jsonfeed.org/version/1", "items": ' + b"[" * 99_999,
            b"application/json",
        ),
    }


def document_cases() -> list[Case]:
    return [
        *(Case(name, lazily(make), READ) for name, make in _markup().items()),
        *(
            Case(name, whole(b, b"Content-Type: " + kind + b"\r\n"), READ)
            for name, (b, kind) in _letters().items()
        ),
        *(
            Case(name, whole(b, b"Content-Type: " + kind + b"\r\n"), None)
            for name, (b, kind) in _feeds().items()
        ),
        Case("HTML as PDF", whole(GOOD, b"Content-Type: application/pdf\r\n"), None),
        Case("no Content-Type", whole(GOOD, b""), READ),
        Case(
            "Content-Type of garbage", whole(GOOD, b"Content-Type: ;;\xff/\r\n"), None
        ),
    ]
