"""What a body is: by its content type where that tells, else by how it begins."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from trapline.reading.gzip_body import unpack_body


class Content(Enum):
    HTML = "HTML"
    PLAIN = "plain text"
    PDF = "PDF"
    SITEMAP = "sitemap"
    FEED = "feed"
    OTHER = "other"


HEAD: Final = 8_192  # bytes in which a document must have begun
_HTML: Final = frozenset(("text/html", "application/xhtml+xml"))
_FEEDS: Final = frozenset(
    (
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
    )
)
_XML: Final = frozenset(("application/xml", "text/xml"))
_GZIP: Final = frozenset(
    (
        "application/gzip",
        "application/x-gzip",
        "application/octet-stream",
        "binary/octet-stream",
    )
)
_ROOTS: Final = {
    "rss": Content.FEED,
    "feed": Content.FEED,
    "rdf": Content.FEED,
    "urlset": Content.SITEMAP,
    "sitemapindex": Content.SITEMAP,
    "html": Content.HTML,
}
_NO_ELEMENT: Final = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<![^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL
)
_ROOT: Final = re.compile(r"\s*<(?:[\w.-]+:)?([\w.-]+)")
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_JSON_FEED: Final = b"jsonfeed.org/version/"
_RSS_IN_RDF: Final = b"purl.org/rss/"


def content_of(content_type: str, body: bytes) -> Content:
    """The kind of a body.

    Feeds and sitemaps are told by their root element: few servers know their types.

    >>> content_of("text/xml", b"<?xml version='1.0'?><!-- <rss> --><urlset xmlns='x'>")
    <Content.SITEMAP: 'sitemap'>
    """
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type in _HTML:
        return Content.HTML
    if media_type == "application/pdf":
        return Content.PDF
    if media_type in _GZIP or media_type in ("", "text/plain"):
        return _content_by_look(media_type, body)
    if media_type in _XML or media_type in _FEEDS:
        return Content.FEED if _JSON_FEED in body[:HEAD] else _content_by_root(body)
    return (
        Content.FEED
        if media_type == "application/json" and _JSON_FEED in body[:HEAD]
        else Content.OTHER
    )


def root_of(body: bytes) -> str:
    """The name of the first element, in lower case, without its prefix; "" if none is near the
    beginning.
    """
    # UTF-16 without its empty halves
    head = unpack_body(body, HEAD).replace(b"\0", b"").decode("utf-8-sig", "replace")
    found = _ROOT.match(_NO_ELEMENT.sub("", head))
    return found[1].lower() if found else ""


def _content_by_root(body: bytes) -> Content:
    root = root_of(body)
    # RDF says many things, news are one of them
    if root == "rdf" and _RSS_IN_RDF not in unpack_body(body, HEAD):
        return Content.OTHER
    return _ROOTS.get(root, Content.OTHER)


def _content_by_look(media_type: str, body: bytes) -> Content:
    if body.startswith(b"%PDF-") and media_type != "text/plain":
        return Content.PDF
    marked = _content_by_root(body)
    if marked in (Content.FEED, Content.SITEMAP):
        return marked
    if _is_url_list(body):
        return Content.SITEMAP
    if media_type == "text/plain":
        return Content.PLAIN
    return (
        Content.HTML if not media_type and body.lstrip()[:1] == b"<" else Content.OTHER
    )


def _is_url_list(body: bytes) -> bool:
    """Whether a text is nothing but one URL a line: a plain sitemap. The last line may
    be cut off.
    """
    head = unpack_body(body, HEAD).decode("utf-8-sig", "replace")
    lines = head.split()
    whole = lines if len(head) < HEAD else lines[:-1]
    return (
        bool(whole)
        and head.count("\n") >= len(lines) - 1
        and all(map(_ADDRESS.fullmatch, whole))
    )
