"""Fingerprints: 64 bits of a text or a page, signed as SQLite wants them.

Another number means another text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import xxhash

from trapline.core.session_urls import without_session
from trapline.reading.identity.calendar_words import words_of

_CACHE_BUSTERS: Final = words_of(
    "_ cb cachebust cachebuster nocache rnd rand random ts timestamp"
)
_LINKS: Final = 0xFFFF_FFFF  # half of the bits are of the links


def text_hash(text: str) -> int:
    """
    >>> text_hash("tea") == text_hash("tea"), text_hash("tea") == text_hash("Tea")
    (True, False)
    """
    unsigned = xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace"))
    return unsigned - 2**64 if unsigned >= 2**63 else unsigned


def fingerprint(steady: str, targets: Iterable[str]) -> int:
    """The fingerprint of what a reader calls the content of a page: its `steady_text` and links.

    Targets are a set: a link that is only moved or doubled is no news. Session marks and cache
    busters are taken off.

    >>> one = fingerprint("Tea", ["http://a/tea?sid=1f00d1f00d1f00d1", "http://a/tea"])
    >>> one == fingerprint("Tea", ["http://a/tea"])
    True
    >>> one == fingerprint("Tea, hot", ["http://a/tea"])
    False
    """
    found = set(targets)
    # one look at all of them: hardly any has a session mark
    if _has_parameters("".join(found)):
        found = set(map(_without_passing_parameters, found))
    words = text_hash(steady) & ~_LINKS
    return words | text_hash("\n".join(sorted(found))) & _LINKS


def links_differ(one: int, other: int) -> bool:
    """Whether two fingerprints are of other links.

    >>> one, other = (fingerprint(text, ["http://a/b"]) for text in ("Tea", "Coffee"))
    >>> one == other, links_differ(one, other), links_differ(one, fingerprint("Tea", []))
    (False, False, True)
    """
    return (one ^ other) & _LINKS != 0


def _has_parameters(target: str) -> bool:
    return "?" in target or ";" in target or "(" in target


def _without_passing_parameters(target: str) -> str:
    if not _has_parameters(target):
        return target
    place, _, query = without_session(target).partition("?")
    kept = [
        parameter
        for parameter in query.split("&")
        if parameter.partition("=")[0].lower() not in _CACHE_BUSTERS
    ]
    return f"{place}?{'&'.join(kept)}" if any(kept) else place
