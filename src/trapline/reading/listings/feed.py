"""Feeds (RSS, Atom, JSON Feed): a site's newest pages, with their titles and what is said about
them.

A feed is cut off where it has more tags or items than an honest one.

>>> item = b"<item><title>Stars</title><link>/a</link><description>Hot.</description></item>"
>>> feed = b"<rss><channel>" + item + b"</channel></rss>"
>>> what, entries = read_feed(feed, "http://a.org/feed", now_s=1e9)
>>> what, entries[0]
('feed of 1 items', Entry(url='http://a.org/a', text='Stars', around='Hot.', modified_s=nan))
"""

from __future__ import annotations

import html
import json
import math
import re
from email.utils import parsedate_to_datetime
from typing import Any, Final

from trapline.reading.gzip_body import unpack_body
from trapline.reading.listings.entries import Entry, Listing, parse_time, resolve_link
from trapline.reading.listings.feed_items import (
    LONGEST_FIELD,
    MOST_ITEMS,
    Item,
    read_items,
)

MOST_BYTES: Final = 5_000_000
LONGEST_TEXT: Final = 200
_TAG: Final = re.compile(r"<[^>]*>?")


def read_feed(body: bytes, url: str, now_s: float) -> Listing | None:
    """The items of the feed at `url` that lead somewhere, each target once; None = it
    is no feed.
    """
    items = _read_items(body, url)
    if items is None:
        return None
    entries: dict[str, Entry] = {}
    for item in items[:MOST_ITEMS]:
        if item.target not in ("", url):
            entries.setdefault(item.target, _entry(item, now_s))
    return Listing(f"feed of {len(entries)} items", tuple(entries.values()))


def feed_text(body: bytes, url: str) -> str | None:
    """What a feed says, for people: a line of title and address an item, and what is said about
    it; None = it is no feed.

    >>> item = b"<item><title>Stars</title><link>/a</link><description>Hot.</description></item>"
    >>> feed_text(b"<rss><channel>" + item + b"</channel></rss>", "http://a.org/feed")
    'Stars http://a.org/a\\nHot.'
    """
    items = _read_items(body, url)
    if items is None:
        return None
    lines: list[str] = []
    for item in items[:MOST_ITEMS]:
        title = _words(item.texts.get("title", ""))
        lines += [f"{title} {item.target}".strip(), _said_of(item, LONGEST_FIELD)]
    return "\n".join(filter(None, lines)) or f"nothing is listed at {url}"


def _read_items(body: bytes, url: str) -> list[Item] | None:
    content = unpack_body(body, MOST_BYTES)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _read_json(content, url)
    return read_items(content, url)


def _said_of(item: Item, most: int = LONGEST_TEXT) -> str:
    return _words(item.texts.get("description") or item.texts.get("content", ""), most)


def _read_json(content: bytes, url: str) -> list[Item] | None:
    try:
        feed = json.loads(content)
        return [_json_item(item, url) for item in feed["items"]]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None  # strangers send all kinds of things


def _json_item(item: dict[str, Any], url: str) -> Item:
    """An id is often the address itself."""
    hrefs = [str(item.get(name) or "") for name in ("url", "external_url", "id")]
    if not hrefs[2].startswith("http"):
        hrefs.pop()
    targets = [resolve_link(href, url) for href in hrefs if href]
    said = item.get("summary") or item.get("content_text") or item.get("content_html")
    texts = {
        "title": item.get("title"),
        "description": said,
        "updated": item.get("date_modified"),
        "published": item.get("date_published"),
    }
    return Item(
        [(place, target) for place, target in enumerate(targets) if target],
        {name: str(text) for name, text in texts.items() if text},
    )


def _entry(item: Item, now_s: float) -> Entry:
    texts = item.texts
    return Entry(
        item.target,
        _words(texts.get("title", "")),
        _said_of(item),
        _time_of(texts.get("updated") or texts.get("published", ""), now_s),
    )


def _time_of(text: str, now_s: float) -> float:
    """Seconds of a date as feeds write them: W3C's or that of mail.

    >>> _time_of("Thu, 01 Jan 1970 00:01:00 +0000", now_s=1e9)
    60.0
    """
    at_s = parse_time(text, now_s)
    if math.isnan(at_s) and text:
        try:
            at_s = parsedate_to_datetime(text[:60]).timestamp()
        except (ValueError, TypeError, LookupError, OverflowError):
            return math.nan
    return at_s if 0.0 <= at_s <= now_s else math.nan


def _words(text: str, most: int = LONGEST_TEXT) -> str:
    """The first words of what may be HTML."""
    plain = html.unescape(_TAG.sub(" ", text[: 10 * most]))
    plain = " ".join(plain.split())
    return plain if len(plain) <= most else plain[:most].rpartition(" ")[0]
