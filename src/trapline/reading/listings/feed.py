"""Feeds (RSS, Atom, JSON Feed): a site's newest pages, with their titles and what is said about
them.

fastfeedparser resolves no entities and opens no external ones (tested), but builds objects for all
it meets: a feed is cut off where it has more tags than an honest one.

>>> item = b"<item><title>Stars</title><link>/a</link><description>Hot.</description></item>"
>>> feed = b"<rss><channel>" + item + b"</channel></rss>"
>>> what, entries = read_feed(feed, "http://a.org/feed", now_s=1e9)
>>> what, entries[0]
('feed of 1 items', Entry(url='http://a.org/a', text='Stars', around='Hot.', modified_s=nan))
"""

from __future__ import annotations

import re
from typing import Any, Final

import fastfeedparser

from trapline.reading.gzip_body import unpack_body
from trapline.reading.listings.entries import Entry, Listing, parse_time, resolve_link

MOST_BYTES: Final = 5_000_000
MOST_TAGS: Final = 100_000
MOST_ITEMS: Final = 1_000  # the newest come first
LONGEST_TEXT: Final = 200
_TAG: Final = re.compile(r"<[^>]*>?")


def read_feed(body: bytes, url: str, now_s: float) -> Listing | None:
    """The items of the feed at `url` that lead somewhere, each target once; None = it
    is no feed.
    """
    try:
        feed = fastfeedparser.parse(
            _shorten(unpack_body(body, MOST_BYTES)),
            include_content=False,
            include_tags=False,
            include_media=False,
            include_enclosures=False,
        )
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        LookupError,
        RecursionError,
    ):
        # it promises ValueError for what is no feed; bodies of strangers find the rest
        return None
    entries: dict[str, Entry] = {}
    for item in feed["entries"][:MOST_ITEMS]:
        target = resolve_link(_target(item), url)
        if target and target != url:
            entries.setdefault(target, _entry(target, item, now_s))
    return Listing(f"feed of {len(entries)} items", tuple(entries.values()))


def _entry(target: str, item: dict[str, Any], now_s: float) -> Entry:
    when = str(item.get("updated") or item.get("published") or "")
    return Entry(
        target,
        _words(item.get("title")),
        _words(item.get("description")),
        parse_time(when, now_s),
    )


def _target(item: dict[str, Any]) -> str:
    """The page that an item is about.

    Atom items have links of several kinds, and the first need not be the one.
    """
    for link in item.get("links") or ():
        if link.get("rel") in (None, "alternate") and link.get("href"):
            return str(link["href"])
    return str(item.get("link") or "")


def _words(text: object) -> str:
    """The first words of what may be HTML."""
    plain = " ".join(_TAG.sub(" ", str(text or "")[: 10 * LONGEST_TEXT]).split())
    return (
        plain if len(plain) <= LONGEST_TEXT else plain[:LONGEST_TEXT].rpartition(" ")[0]
    )


def _shorten(body: bytes) -> bytes:
    """At most MOST_TAGS tags; the rest is what the parser takes for a file that was cut off."""
    if body.count(b"<") <= MOST_TAGS:
        return body
    at = -1
    for _ in range(MOST_TAGS):
        at = body.find(b"<", at + 1)
    return body[:at]
