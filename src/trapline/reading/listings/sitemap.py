"""Sitemaps (sitemaps.org): lists of a site's pages, lists of such lists, and plain texts with one
URL a line.

Read as a stream: no tree is built, entities and DTDs are not resolved, and whatever is longer than
an honest sitemap can be (50,000 entries, 50 MB) is cut off there. By the rule of the protocol a
sitemap speaks of its own host only.

>>> body = b"<urlset><url><loc>/a</loc><lastmod>1970-01-02</lastmod></url></urlset>"
>>> found = read_sitemap(body, "http://a.org/sitemap.xml", now_s=1e9)
>>> found.what, [(entry.url, entry.modified_s) for entry in found.entries]
('sitemap of 1 pages', [('http://a.org/a', 86400.0)])
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from lxml import etree

from trapline.reading.gzip_body import unpack_body, unpack_chunks
from trapline.reading.listings.entries import Entry, Listing, parse_time, resolve_link
from trapline.reading.listings.xml_repair import mend_entities, split_after_tags
from trapline.reading.same_site import same_site

MOST_ENTRIES: Final = 50_000
MOST_BYTES: Final = 50 * 1024 * 1024
# images, videos and languages may be listed with each page
MOST_ELEMENTS: Final = 20 * MOST_ENTRIES
LONGEST_TAG: Final = 1024 * 1024  # from one ">" to the next: more is no sitemap
LONGEST_TEXT: Final = 2_100


def read_sitemap(body: bytes, url: str, now_s: float) -> Listing:
    """The pages (or sitemaps) of its own host that the sitemap at `url` lists, each once."""
    seen = _read_locations(body)
    entries: dict[str, Entry] = {}
    for loc, modified in seen.found[:MOST_ENTRIES]:
        target = resolve_link(loc, url)
        if target and target != url and same_site(target, url):
            modified_s = parse_time(modified, now_s) if modified else math.nan
            entries.setdefault(target, Entry(target, modified_s=modified_s))
    what = "sitemap of {} sitemaps" if seen.index else "sitemap of {} pages"
    return Listing(what.format(len(entries)), tuple(entries.values()))


def sitemap_text(body: bytes, url: str) -> str:
    """What a sitemap says, for people: one page a line, on whatever host, with its date.

    >>> sitemap_text(b"<urlset><url><loc> /a </loc><lastmod>1970</lastmod></url></urlset>", "")
    '/a 1970'
    """
    found = _read_locations(body).found[:MOST_ENTRIES]
    lines = (" ".join(f"{loc} {modified}".split()) for loc, modified in found)
    return "\n".join(lines) or f"nothing is listed at {url}"


def _read_locations(body: bytes) -> _LocationReader:
    seen = _LocationReader()
    if _is_markup(body):
        _read_xml(body, seen)
    else:
        seen.found = [(line, "") for line in _lines(body)]
    return seen


class _LocationReader:
    """A parser's target: gathers (loc, lastmod) of each <url> or <sitemap>, and nothing else."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
        self.index = False
        self.elements = 0
        self._path: list[str] = []
        self._fields = {"loc": "", "lastmod": ""}

    def start(self, tag: str, _: object) -> None:
        self.elements += 1
        name = tag.rpartition("}")[2].lower()
        self.index |= not self._path and name == "sitemapindex"
        self._path.append(name)
        if name in ("url", "sitemap"):
            self._fields = {"loc": "", "lastmod": ""}

    def data(self, text: str) -> None:
        name = self._path[-1] if self._path else ""
        # A <loc> of an image lies deeper.
        if (
            name in self._fields
            and len(self._path) == 3
            and len(self._fields[name]) < LONGEST_TEXT
        ):
            self._fields[name] += text

    def end(self, _: str) -> None:
        name = self._path.pop() if self._path else ""
        if name in ("url", "sitemap") and self._fields["loc"].strip():
            self.found.append((self._fields["loc"], self._fields["lastmod"]))
            self._fields = {"loc": "", "lastmod": ""}

    def close(self) -> None:
        """The parser wants one."""

    @property
    def enough(self) -> bool:
        return len(self.found) >= MOST_ENTRIES or self.elements >= MOST_ELEMENTS


def _read_xml(body: bytes, seen: _LocationReader) -> None:
    parser = etree.XMLParser(
        target=seen,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=True,
    )
    try:
        for piece in _whole_tags(body):
            parser.feed(piece)
            if seen.enough:
                return
        parser.close()
    except etree.LxmlError:
        return  # what was read until then is read


def _whole_tags(body: bytes) -> Iterator[bytes]:
    """Pieces that end with a tag, with their entities in order."""
    rest = b""
    for chunk in unpack_chunks(body, MOST_BYTES):
        whole, rest = split_after_tags(rest + chunk)
        if whole:
            # UTF-16 is left alone
            yield whole if b"\0" in whole else mend_entities(whole)
        if len(rest) > LONGEST_TAG:
            return


def _is_markup(body: bytes) -> bool:
    return (
        unpack_body(body, 200)
        .replace(b"\0", b"")
        .lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        .startswith(b"<")
    )


def _lines(body: bytes) -> list[str]:
    text = unpack_body(body, MOST_BYTES).decode("utf-8-sig", "replace")
    return [
        line
        for line in text.split(maxsplit=MOST_ENTRIES)[:MOST_ENTRIES]
        if line.startswith(("http://", "https://"))
    ]
