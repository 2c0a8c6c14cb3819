"""Markup that takes a tree builder too long, found before it is handed to one.

Building a tree costs (tags × open elements), and unclosed formatting elements are *copied* into
every paragraph that follows: 27 KB of `<p><b a=1><p><b a=2>…` become two million nodes and 900 MB.
Browsers stop at 512 levels; lexbor does not: 100,000 levels take it half a minute, a million more
than an hour. So a document that is deeper, or carries more along, than any honest one is first made
flat: only what we read of it (links, title, base, robots) stays marked up.
"""

from __future__ import annotations

import re
from typing import Final

from trapline.reading.html.nesting import is_deeper

# so few cannot hurt, whatever they are (100 MB, 0.2 s at the worst)
FEW_TAGS: Final = 2_000
MOST_TAGS: Final = 200_000
DEEPEST: Final = 500
MOST_COPIES: Final = 3_000_000  # open formatting elements × tags
# each is compared with all before it (<option>, <optgroup>)
MOST_OPTIONS: Final = 5_000
MOST_ATTRIBUTES: Final = 10_000  # of one tag: each is compared with all before it
MOST_MARKS: Final = 600_000  # that a flat document is made from, and …
MOST_KEPT: Final = 100_000  # … that it keeps
LONGEST_TAG: Final = 2_000  # of those that a flat document keeps

_READ: Final = r"(?:a|title|base|meta|link)\b"
_KEPT: Final = re.compile(rf"<(/?{_READ}[^<>]*)>?", re.IGNORECASE | re.ASCII)
_DROPPED: Final = re.compile(
    rf"<(?!/?{_READ})/?[a-z!?][^<>]*>?", re.IGNORECASE | re.ASCII
)


def flatten_if_deep(html: bytes) -> bytes:
    """The same document, or a flat one if building its tree could take too long.

    UTF-8: hardly any is ever decoded.

    >>> flatten_if_deep(b"<p>One <b>two</b>") == b"<p>One <b>two</b>"
    True
    >>> flatten_if_deep(b"<div>" * 2000 + b"<a href=x>one</a>").strip()
    b'<a href=x>one</a>'
    """
    if _is_too_wide(html) or _is_too_deep(html):
        return _flatten(html.decode()).encode()
    return html


def _is_too_wide(html: bytes) -> bool:
    """Whether some tag might have too many attributes.

    Or a text has no tag for very long: then flat is as good.
    """
    if not _has_stretch(html, 2 * MOST_ATTRIBUTES):  # the rule, and every page is asked
        return False
    stretches = [
        stretch
        for stretch in html.decode().split(">")
        if len(stretch) > 2 * MOST_ATTRIBUTES
    ]
    return any(
        sum(map(stretch.count, " \t\n\f\r/")) > MOST_ATTRIBUTES for stretch in stretches
    )


def _has_stretch(html: bytes, most: int) -> bool:
    """Whether there are more than so many bytes without ">". It leaps: few of them are looked at.

    >>> _has_stretch(b"<a>12345<b>", 6), _has_stretch(b"<a>12345<b>", 7)
    (True, False)
    """
    at = 0
    while len(html) - at > most:
        at = html.rfind(b">", at, at + most + 1) + 1
        if not at:
            return True
    return False


def _is_too_deep(html: bytes) -> bool:
    tags = html.count(b"<")
    if tags <= FEW_TAGS:
        return False
    if tags > MOST_TAGS or (tags > MOST_OPTIONS and _has_many_options(html)):
        return True
    return is_deeper(html, DEEPEST, MOST_COPIES // tags)


def _has_many_options(html: bytes) -> bool:
    perhaps = html.count(b"<o") + html.count(b"<O") > MOST_OPTIONS
    return perhaps and html.lower().count(b"<opt") > MOST_OPTIONS


def _flatten(html: str) -> str:
    """What is left of it: words, and marks of what is read. Beyond MOST_MARKS nothing is."""
    marks = html.split("<", MOST_MARKS)
    whole = html if len(marks) <= MOST_MARKS else html[: -len(marks[-1])]
    few = iter(range(MOST_KEPT))

    def keep(match: re.Match[str]) -> str:
        stays = len(match[1]) <= LONGEST_TAG and next(few, None) is not None
        return f"<{match[1]}>" if stays else " "

    return _KEPT.sub(keep, _DROPPED.sub(" ", _cut_raw(whole)))


def _cut_raw(html: str) -> str:
    """Without scripts, styles and drawings."""
    kept = []
    at = 0
    for begin, end in _raw_stretches(html):
        if begin >= at:
            kept.append(html[at:begin])
            at = end
    return " ".join((*kept, html[at:]))


def _raw_stretches(html: str) -> list[tuple[int, int]]:
    low = _lower(html)
    found = []
    for name in ("script", "style", "svg"):
        begin = low.find(f"<{name}")
        while begin >= 0 and (end := low.find(f"</{name}", begin)) >= 0:
            found.append((begin, end))
            begin = low.find(f"<{name}", end)
    return sorted(found)


def _lower(html: str) -> str:
    """In small letters, place for place.

    Two foreign letters become ASCII when Python lowers them, but not in HTML.
    """
    return html.replace("\u0130", "?").replace("\u212a", "?").lower()
