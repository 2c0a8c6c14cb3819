"""What is counted, before it is written down."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 200  # letters of a query: what is longer is nobody's habit
MOST: Final = 2_000  # different things between two writings


def normal_query(text: str) -> str:
    """One spelling for queries that mean the same; "" = it is not counted.

    >>> normal_query("  The MOON\\n landing "), normal_query("x" * 300)
    ('the moon landing', '')
    """
    sound = text.encode("utf-8", "ignore").decode()
    words = unicodedata.normalize("NFKC", sound).casefold().split()
    query = " ".join(words)
    return query if len(query) <= LONGEST else ""


@dataclass(slots=True)
class Tally:
    asked: Counter[str] = field(default_factory=Counter)  # by query
    missed: Counter[str] = field(default_factory=Counter)  # those that found nothing
    # by (query, page); the query may be unknown, then it is ""
    opened: Counter[tuple[str, int]] = field(default_factory=Counter)
    shown: Counter[int] = field(default_factory=Counter)  # by page

    def __bool__(self) -> bool:
        return bool(self.asked or self.opened or self.shown)

    def note_asked(self, query: str, *, found: bool) -> None:
        if query and (query in self.asked or len(self.asked) < MOST):
            self.asked[query] += 1
            self.missed[query] += not found

    def note_opened(self, query: str, page: int) -> None:
        if (query, page) in self.opened or len(self.opened) < MOST:
            self.opened[query, page] += 1

    def note_shown(self, page: int) -> None:
        if page in self.shown or len(self.shown) < MOST:
            self.shown[page] += 1
