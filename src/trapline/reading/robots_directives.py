"""What a server or a page forbids robots to do with it: X-Robots-Tag headers and <meta
name=robots>.

A header may speak to one robot only (`trapline: noindex`); what follows a name is meant for that
robot, up to the next name. A date after which a page must not be kept (`unavailable_after`) may
itself contain a comma.

>>> directives_of(["otherbot: noindex, trapline: nofollow", "max-snippet: 5"])
Directives(noindex=False, nofollow=True, until_s=inf)
>>> directives_of(["unavailable_after: Thursday, 01-Jan-70 00:01:00 GMT"]).until_s
60.0
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from trapline.politeness.rule_packing import PRODUCT

MOST: Final = 200  # directives that are read
_UNTIL: Final = "unavailable_after"
_WITH_VALUE: Final = frozenset(
    (_UNTIL, "max-snippet", "max-image-preview", "max-video-preview")
)
_ALL_ROBOTS: Final = frozenset(("", "*", "robots", PRODUCT))


@dataclass(frozen=True, slots=True)
class Directives:
    noindex: bool = False  # keep nothing of the page
    nofollow: bool = False  # follow none of its links
    until_s: float = math.inf  # from then on, noindex

    def join(self, other: Directives) -> Directives:
        """Both are obeyed."""
        return Directives(
            self.noindex or other.noindex,
            self.nofollow or other.nofollow,
            min(self.until_s, other.until_s),
        )


NO_ORDERS: Final = Directives()


def directives_of(lines: Iterable[str]) -> Directives:
    """The orders that concern us, of all lines."""
    found = [pair for line in lines if line for pair in _directives(line)][:MOST]
    if not found:  # the rule
        return NO_ORDERS
    words = {name for name, _ in found}
    none = "none" in words
    until_s = min(
        (_epoch_s(value) for name, value in found if name == _UNTIL), default=math.inf
    )
    return Directives(none or "noindex" in words, none or "nofollow" in words, until_s)


def _directives(line: str) -> list[tuple[str, str]]:
    """(name, value) of each directive of a line that is meant for us."""
    found: list[tuple[str, str]] = []
    ours = True
    for part in line.split(","):
        name, colon, value = (piece.strip() for piece in part.partition(":"))
        if colon and name.lower() not in _WITH_VALUE and not _goes_on(found, part):
            ours = name.lower() in _ALL_ROBOTS
            name, _, value = (piece.strip() for piece in value.partition(":"))
        if _goes_on(found, part):
            found[-1] = (_UNTIL, f"{found[-1][1]}, {part.strip()}")
        elif ours:
            found.append((name.lower(), value))
    return found


def _goes_on(found: list[tuple[str, str]], part: str) -> bool:
    """Whether this is the rest of a date: `Thursday, 01-Jan-70 …`."""
    return (
        bool(found)
        and found[-1][0] == _UNTIL
        and found[-1][1].isalpha()
        and part.strip()[:1].isdigit()
    )


def _epoch_s(text: str) -> float:
    """Any of the three forms that dates have in headers, or ISO 8601; ∞ = not a date."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = read(text[:100])
            return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            continue
    return math.inf
