"""Crawler traps: addresses that go on for ever and lead nowhere.

There are three kinds, and an answer to each:

- an address that a server obviously makes up: nothing on the web is really that deep, or says
  /a/b/a/b/a/b. `trap_in` refuses it;
- one page under a new address for every visitor: `without_session` (core/session_urls.py) takes
  off session and tracking marks;
- endless calendars and parameters, whose addresses look fine one by one: `Patterns` counts what
  addresses that differ in their numbers only have yielded.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np
import xxhash

from trapline.core.ports import Arrays

DEEPEST: Final = 20  # segments of a path
LONGEST: Final = 1_000  # characters; canonical URLs have 2,000 at most
MOST_PARAMETERS: Final = 16
MOST_OF_A_NAME: Final = 8  # a[]=1&a[]=2…: as often as people tick boxes

# visits in a row without yield that tell what a pattern is worth, if it never yielded anything
ENOUGH: Final = 30
# relevance of a new document that is a yield; and yields a visit below which nobody waits longer
LEAST: Final = 0.02
# where there were yields: as many must be missing, by chance once in e^7 = 1,100 times
PATIENCE: Final = 7.0
LET_THROUGH: Final = 50  # one in so many addresses of an exhausted pattern
MOST_PATTERNS: Final = 10_000
_FEW: Final = 256
_NUMBER: Final = re.compile(r"\d+")
# Numbers, dates, times, marks: 17, 2031-05, 05/2031, 2031-05-01T10%3A00, 3f2a…; nothing that is a
# word.
_ENDLESS: Final = re.compile(
    r"-?\d(?:[\d.,:;_/+TZ-]|%(?:20|2C|2F|3A))*|[0-9a-fA-F-]{16,}|"
)


def trap_in(url: str) -> str | None:
    """Why a canonical URL looks like a trap; None = it does not.

    >>> trap_in("http://example.org/a/b/c"), trap_in("http://example.org/de/blog/de/blog/de/blog/")
    (None, 'repeating segments')
    """
    path, _, query = url[url.find("/", 8) :].partition("?")
    if len(url) > LONGEST:
        return f"longer than {LONGEST} characters"
    if path.count("/") > DEEPEST:
        return f"deeper than {DEEPEST} segments"
    if _repeats(path.rstrip("/").split("/")[1:]):
        return "repeating segments"
    return _query_trap(query) if query else None


def _repeats(segments: list[str]) -> bool:
    """Whether some of them come three times in a row; numbers four times, because /11/11/11 is a
    day.

    >>> [_repeats(path.split("/")) for path in ("x/x/x", "a/b/a/b/c", "2011/11/11/11")]
    [True, False, False]
    """
    if len(set(segments)) > len(segments) - 2:
        return False
    for width in range(1, len(segments) // 3 + 1):
        run = 0
        for here, there in zip(segments, segments[width:], strict=False):
            run = run + 1 if here == there else 0
            if run >= (3 if here.isdigit() else 2) * width:
                return True
    return False


def _query_trap(query: str) -> str | None:
    parameters = query.split("&")
    if len(parameters) > MOST_PARAMETERS:
        return f"more than {MOST_PARAMETERS} parameters"
    if len(parameters) != len(set(parameters)):
        return "repeated parameters"
    times = Counter(parameter.partition("=")[0] for parameter in parameters)
    return "repeated parameters" if max(times.values()) > MOST_OF_A_NAME else None


class Patterns:
    """What addresses that differ only in their numbers have yielded: new documents of interest, no
    copies.

    The pattern of an address is its host, its path with N for numbers, and its parameters without
    values that are numbers, dates or marks. Each is counted twice: as it is, and with no values at
    all, for parameters that are endless combinations of words; the second count speaks only while
    the first has seen too little. One in `LET_THROUGH` addresses of an exhausted pattern, told by
    hash, stays open: should something new appear there, it is noticed. An address without numbers
    and parameters is one page, and never exhausted.

    >>> patterns = Patterns()
    >>> for day in range(ENOUGH):
    ...     patterns.note(f"http://example.org/calendar?day={day}", yielded=0.0)
    ...     patterns.note(f"http://example.org/article?id={day}", yielded=1.0)
    >>> patterns.is_exhausted("http://example.org/calendar?day=77")
    True
    >>> patterns.is_exhausted("http://example.org/article?id=77")
    False
    """

    def __init__(self, most: int = MOST_PATTERNS) -> None:
        self._most = most
        # hash of a pattern → its row; the least recently used first
        self._rows: dict[int, int] = {}
        # visits; yields; visits since the last yield
        self._counts = np.zeros((_FEW, 3), np.int64)

    def __len__(self) -> int:
        return len(self._rows)

    def note(self, url: str, yielded: float) -> None:
        """A page was visited and yielded so much: the relevance of a new document, 0 for an old one
        or a copy.
        """
        for key in _keys(url):
            row = self._row(key)  # may make new arrays
            counts = self._counts[row]
            counts += (1, yielded >= LEAST, 1)
            if yielded >= LEAST:
                counts[2] = 0

    def is_exhausted(self, url: str) -> bool:
        """Whether a visit would only be more of what has yielded nothing.

        The same answer until something is noted.
        """
        for key in _keys(url):
            row = self._rows.get(key)
            if row is not None and self._counts[row, 0] >= ENOUGH:
                # what is asked for is in use: a trap is remembered
                self._rows[key] = self._rows.pop(key)
                return (
                    _is_spent(*self._counts[row].tolist())
                    and _hash(url) % LET_THROUGH != 0
                )
        return False

    def state(self) -> Arrays:
        """Rows in order of use."""
        rows = np.fromiter(self._rows.values(), np.intp, len(self._rows))
        keys = np.fromiter(self._rows, np.uint64, len(self._rows))
        return {"keys": keys, "counts": self._counts[rows]}

    def restore(self, state: Arrays) -> None:
        self._rows = {key: row for row, key in enumerate(state["keys"].tolist())}
        self._counts = np.array(state["counts"], np.int64)

    def _row(self, key: int) -> int:
        row = self._rows.pop(key, None)
        if row is None:
            row = self._new_row()
        self._rows[key] = row
        return row

    def _new_row(self) -> int:
        """A free row, or that of the least recently used pattern."""
        row = len(self._rows)
        if row >= self._most:
            row = self._rows.pop(next(iter(self._rows)))
        elif row >= len(self._counts):
            self._counts = np.concatenate(
                (self._counts, np.zeros((max(_FEW, row), 3), np.int64))
            )
        self._counts[row] = 0
        return row


def _is_spent(visits: int, yields: int, quiet: int) -> bool:
    """Whether so many quiet visits since the last yield are no chance.

    >>> _is_spent(30, 0, 30), _is_spent(130, 10, 30), _is_spent(180, 10, 80), _is_spent(9, 0, 9)
    (True, False, True, False)
    """
    wait = PATIENCE * (visits - quiet) / yields if yields else 0.0
    return quiet >= max(ENOUGH, min(wait, PATIENCE / LEAST))


def _hash(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode())


def _keys(url: str) -> list[int]:
    """The hashes of its pattern and of the coarser one; none if the address has nothing that could
    go on for ever.
    """
    place, _, query = url.partition("?")
    start = place.find("/", 8)
    path = _NUMBER.sub("N", place[start:])
    if not query:
        return [_hash(place[:start] + path)] if path != place[start:] else []
    said = [parameter.partition("=") for parameter in sorted(query.split("&"))]
    plain = "&".join(
        name if _ENDLESS.fullmatch(value) else f"{name}={value}"
        for name, _, value in said
    )
    names = "&".join(name for name, _, _ in said)
    return [
        _hash(f"{place[:start]}{path}?{parts}")
        for parts in dict.fromkeys((plain, names))
    ]
