"""Where two versions of a page differ: the places between lines that both have.

A place is known by the line before it and the line after it, which are the same in both versions. A
box that shows something else at every visit stands between its heading and what follows, and so
does the same box on other pages of the site: it is the same place. A list that grows is another
place each time, because the line after it is.

Lines that occur once in both versions hold them together (as in patience diff): the time is nearly
linear, whatever the texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from trapline.reading.identity.fingerprint import text_hash

Place = tuple[int, int]  # the hashes of the line before and the line after

_DIGITS: Final = re.compile(r"[\d.,:]+")
# money, shares, versions: what such a text says may be what a page is for
_VALUE: Final = re.compile(
    r"[€$£¥₽₹%‰]|\b(?:usd|eur|gbp|chf|jpy|btc|zł|kr|руб)\b|\d+\.\d+\.\d|\bv?\d+\.\d+\b"
    r"|\b(?:price|rate|status|version|release|preis|kurs|prix|cours|precio|prezzo|preço"
    r"|prijs|cena|цена|статус|alert|warning|warnung|outage|störung)\b",
    re.IGNORECASE,
)
_EDGE: Final = ""  # before the first line and after the last
_TITLE: Final = 1  # the number of the title's line


class Difference(NamedTuple):
    """One place where two versions differ."""

    place: Place
    content: int  # the hash of what stands there now
    words: int  # of the longer version
    rotates: bool  # other words stand there, not only other numbers
    valued: bool = (
        False  # there, or in the line before, is a sign of money and the like
    )
    titled: bool = (
        False  # it is the title, or stands below the heading that says the same
    )


def find_differences(old: str, new: str) -> list[Difference]:
    """All places where two texts differ: a title, then one line a block.

    >>> old = "Tea\\nHot.\\nQuote\\nBe brief.\\nContact"
    >>> new = "Tea\\nHot.\\nQuote\\nKnow thyself now.\\nContact"
    >>> [(one.words, one.rotates) for one in find_differences(old, new)]
    [(3, True)]
    >>> find_differences(old, old)
    []
    """
    before = [_EDGE, *old.split("\n"), _EDGE]
    after = [_EDGE, *new.split("\n"), _EDGE]
    return [
        _difference(before, after, spans) for spans in _differing_spans(before, after)
    ]


def places_in(text: str) -> dict[int, int]:
    """The lines of a text by hash, and where each stands (last)."""
    lines = [_EDGE, *text.split("\n"), _EDGE]
    return {text_hash(line): number for number, line in enumerate(lines)}


def _difference(
    before: list[str], after: list[str], spans: tuple[int, int, int, int]
) -> Difference:
    i, j, k, m = spans
    old = "\n".join(before[i:j])
    new = "\n".join(after[k:m])
    return Difference(
        (text_hash(before[i - 1]), text_hash(before[j])),
        text_hash(new),
        max(len(old.split()), len(new.split())),
        _DIGITS.sub("", old) != _DIGITS.sub("", new),
        _VALUE.search(f"{before[i - 1]}\n{old}\n{new}") is not None,
        i <= _TITLE + 1 or _is_heading(before[i - 1], before[_TITLE]),
    )


def _is_heading(line: str, title: str) -> bool:
    """Whether a line says what the title says: what follows is what the page is about."""
    words = line.rstrip("¶# ").casefold()
    return bool(words) and words in title.casefold()


def _differing_spans(
    before: list[str], after: list[str]
) -> Iterator[tuple[int, int, int, int]]:
    """(first, end) in the one and in the other, between lines that are the same."""
    i = 0
    k = 0
    for at, there in [*_anchors(before, after), (len(before), len(after))]:
        span = _trim(before, after, (i, at, k, there))
        if span is not None:
            yield span
        i = at + 1
        k = there + 1


def _trim(
    before: list[str], after: list[str], span: tuple[int, int, int, int]
) -> tuple[int, int, int, int] | None:
    """Without the same lines at both ends; None = there are no others."""
    i, j, k, m = span
    while i < j and k < m and before[i] == after[k]:
        i += 1
        k += 1
    while i < j and k < m and before[j - 1] == after[m - 1]:
        j -= 1
        m -= 1
    return (i, j, k, m) if i < j or k < m else None


def _anchors(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """Pairs of places of lines that occur once in each, in the same order in both."""
    once_before = _single_lines(before)
    once_after = _single_lines(after)
    pairs = [
        (at, once_after[line]) for line, at in once_before.items() if line in once_after
    ]
    return _longest_rise(pairs)


def _single_lines(lines: list[str]) -> dict[str, int]:
    counts = Counter(lines)
    return {line: at for at, line in enumerate(lines) if counts[line] == 1}


def _longest_rise(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs, sorted by the first, in which the second rises, too."""
    tails: list[int] = []  # the least end of a rise of each length
    ends: list[int] = []  # which pair that is
    previous: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(tails, there)
        previous.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [there]
        ends[length : length + 1] = [number]
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = previous[at]
    return chain[::-1]
