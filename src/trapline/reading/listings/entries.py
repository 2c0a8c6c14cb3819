"""Listings: sitemaps and feeds, pages that say where other pages are and when they changed.

They are visited like any page, and what they list that nobody had heard of is their news; but they
are no documents: they have no words of their own, so nothing of them is found by a search.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import NamedTuple

from trapline.core.errors import BadUrl
from trapline.core.urls import canonical
from trapline.reading.identity.fingerprint import text_hash


class Entry(NamedTuple):
    """One page that a listing names."""

    url: str  # canonical
    text: str = ""  # its title, where the listing says it
    around: str = ""  # what the listing says about it
    # when it changed last, as the listing says; never in the future
    modified_s: float = math.nan


class Listing(NamedTuple):
    """`what` it is, for people, and the pages that it names, each once."""

    what: str
    entries: tuple[Entry, ...]


def resolve_link(href: str, base: str) -> str | None:
    """The canonical URL, or None for what is none.

    >>> resolve_link("../b#c", "http://a.org/x/y"), resolve_link("mailto:me", "http://a.org/")
    ('http://a.org/b', None)
    """
    try:
        return canonical(href, base)
    except BadUrl:
        return None


def parse_time(text: str, now_s: float) -> float:
    """Seconds of a W3C date (a year alone will do); nan if it is none, or lies in the future.

    >>> times = ("1970-01-02", "1970-01-01T01:00:30+01:00", "2001-12")
    >>> [parse_time(time, now_s=1e9) for time in times]
    [86400.0, 30.0, nan]
    """
    text = text.strip()[:40]
    try:
        date = datetime.fromisoformat(
            text + "-01-01"[3 * text.count("-") :] if len(text) in (4, 7) else text
        )
        at_s = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return math.nan
    return at_s if 0.0 <= at_s <= now_s else math.nan


def listing_fingerprint(listing: Listing) -> int:
    """64 bits of what a listing says: another one = it has changed."""
    parts = (
        f"{entry.url} {entry.modified_s} {entry.text}" for entry in listing.entries
    )
    return text_hash("\n".join((listing.what, *parts)))
