"""Sitemaps: honest ones, sloppy ones, and those made to hurt."""

from __future__ import annotations

import gzip
import math

import pytest

from trapline.reading.gzip_body import CHUNK
from trapline.reading.listings.entries import Listing
from trapline.reading.listings.sitemap import MOST_ENTRIES, read_sitemap

URL = "http://example.org/maps/one.xml"
NOW_S = 1.8e9  # January 2027
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def read(body: bytes | str) -> Listing:
    return read_sitemap(body.encode() if isinstance(body, str) else body, URL, NOW_S)


def urls(body: bytes | str) -> list[str]:
    return [
        entry.url.removeprefix("http://example.org") for entry in read(body).entries
    ]


def listed(*locs: str) -> str:
    return (
        "<urlset>"
        + "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
        + "</urlset>"
    )


def test_a_sitemap_as_the_protocol_shows_it() -> None:
    found = read(
        f"""<?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="{SPACE}">
           <url><loc>http://example.org/a</loc><lastmod>2005-01-01</lastmod>
             <changefreq>monthly</changefreq></url>
           <url><loc> http://example.org/b?x=1&amp;y=2 </loc></url>
        </urlset>"""
    )
    assert found.what == "sitemap of 2 pages"
    assert [entry.url for entry in found.entries] == [
        "http://example.org/a",
        "http://example.org/b?x=1&y=2",
    ]
    assert found.entries[0].modified_s == 1_104_537_600.0
    assert math.isnan(found.entries[1].modified_s)


def test_an_index_lists_sitemaps() -> None:
    found = read(
        f"<sitemapindex xmlns='{SPACE}'><sitemap><loc>/maps/two.xml.gz</loc>"
        "<lastmod>2005-01-01T00:00:00Z</lastmod>"
        f"</sitemap><sitemap><loc>{URL}</loc></sitemap></sitemapindex>"
    )
    assert found.what == "sitemap of 1 sitemaps"  # and none of itself
    assert found.entries[0][0] == "http://example.org/maps/two.xml.gz"
    assert found.entries[0].modified_s == 1_104_537_600.0


@pytest.mark.parametrize(
    ("text", "modified_s"),
    [
        ("1970", 0.0),
        ("1970-01", 0.0),
        ("1970-02", 31 * 86_400.0),
        ("1970-01-01T00:01Z", 60.0),
        ("1970-01-01T01:00:01+01:00", 1.0),
        ("1970-01-01T00:00:00.5Z", 0.5),
        (" 1970-01-02\n", 86_400.0),
        ("2999-01-01", math.nan),  # in the future
        ("1969-01-01", math.nan),
        ("yesterday", math.nan),
        ("", math.nan),
        ("0000-00-00", math.nan),
    ],
)
def test_dates(text: str, modified_s: float) -> None:
    [entry] = read(
        f"<urlset><url><loc>/a</loc><lastmod>{text}</lastmod></url></urlset>"
    ).entries
    assert entry.modified_s == pytest.approx(modified_s, nan_ok=True)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (listed("/a", "/a", "/b"), ["/a", "/b"]),
        (
            listed(
                "http://other.org/a",
                "http://sub.example.org/",
                "ftp://example.org/",
                "http://",
                "/a",
            ),
            ["/a"],
        ),
        (listed("/a?x=1&y=2"), ["/a?x=1&y=2"]),  # not escaped
        (listed("<![CDATA[/a?x=1&y=2]]>"), ["/a?x=1&y=2"]),
        (listed("/a?x=1&copy=2&unheard;z"), ["/a?x=1&copy=2&unheard;z"]),
        (listed("/caf&eacute;"), ["/caf%C3%A9"]),
        (listed("/a") + "rubbish" + listed("/b"), ["/a"]),
        ("<urlset><url><loc>/a</loc></url><url><loc>/b</loc>", ["/a"]),  # cut off
        ("\n \n<?xml version='1.0'?>" + listed("/a"), ["/a"]),
        ("<urlset><url><loc><![CDATA[/a]]></loc></url></urlset>", ["/a"]),
        (
            (
                "<urlset><url><loc>/a</loc><i:image "
                "xmlns:i='i'><i:loc>/a.png</i:loc></i:image></url></urlset>"
            ),
            ["/a"],
        ),
        ("<URLSET><URL><LOC>/a</LOC></URL></URLSET>", ["/a"]),
        ("<urlset/>", []),
        ("<urlset", []),
        ("", []),
        ("<urlset><url><loc/></url></urlset>", []),
        ("http://example.org/a\r\nhttp://example.org/b\n\n", ["/a", "/b"]),
        ("\ufeffhttp://example.org/a", ["/a"]),
    ],
)
def test_sloppy_ones(body: str, found: list[str]) -> None:
    assert urls(body) == found
    assert urls(gzip.compress(body.encode())) == found


@pytest.mark.parametrize("padding", range(CHUNK - 90, CHUNK + 10, 3))
def test_nothing_is_torn_where_pieces_end(padding: int) -> None:
    body = f"<!--{'x' * padding}-->" + listed(
        "<![CDATA[/a?x=<1>&y=2&z=3]]>", "/b?x=1&amp;y=2&z"
    )
    assert urls(body) == ["/a?x=%3C1%3E&y=2&z=3", "/b?x=1&y=2&z"]


def test_scheme_and_www_may_differ() -> None:
    assert (
        len(read(listed("https://example.org/a", "http://www.example.org/b")).entries)
        == 2
    )


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_encodings(encoding: str) -> None:
    body = f"<?xml version='1.0' encoding='{encoding}'?>{listed('/ä')}"
    assert urls(body.encode(encoding)) == ["/%C3%A4"]


def test_a_damaged_gzip_file_is_read_as_far_as_it_goes() -> None:
    packed = gzip.compress(listed(*(f"/{n}" for n in range(20_000))).encode())
    assert 0 < len(urls(packed[: len(packed) // 2])) < 20_000


def test_no_more_than_the_protocol_allows() -> None:
    assert (
        len(read(listed(*(f"/{n}" for n in range(MOST_ENTRIES + 10)))).entries)
        == MOST_ENTRIES
    )
    assert (
        len(
            read(
                "\n".join(f"http://example.org/{n}" for n in range(MOST_ENTRIES + 10))
            ).entries
        )
        == MOST_ENTRIES
    )


def laughs() -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]>' + listed("/&l9;", "/b")


@pytest.mark.parametrize(
    "body",
    [
        laughs().encode(),
        b'<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        + listed("/&x;").encode(),
        b"<urlset>" + b"<x>" * 300_000,
        b"<urlset>" + b"<x/>" * 300_000,
        b"<urlset><url><loc>" + b"a" * 5_000_000,
        b"<urlset><url a='" + b"a" * 5_000_000,
        b"<urlset " + b" ".join(b"a%d='1'" % n for n in range(400_000)) + b">",
        b"<urlset>" + b"&" * 5_000_000 + b">",
        b"\0" * 1_000_000,
        gzip.compress(b"<urlset>" + b" " * 100_000_000),
        gzip.compress(b"\0" * 100_000_000),
        gzip.compress(gzip.compress(b"<urlset>")),
        b"\x1f\x8b",
    ],
    ids=[
        "laughs",
        "file",
        "deep",
        "wide",
        "text",
        "attribute",
        "attributes",
        "marks",
        "NUL",
        "bomb",
        "NULs",
        "twice",
        "cut",
    ],
)
def test_what_is_made_to_hurt_is_harmless(body: bytes) -> None:
    assert all(len(entry.url) < 100 for entry in read(body).entries)
    assert "root:" not in str(read(body))
