"""What was asked of a federation, and how well it was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

ENOUGH: Final = 3  # results found: nobody needs more to choose from
WELL: Final = 0.7  # quality from which a query counts as answered well
_KNOWN_GOOD: Final = (
    10  # queries whose results were opened, to say what good answers score
)


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page among the ten best."""

    url: str
    engine: str
    opened: bool = False  # by somebody, after this query


@dataclass(frozen=True, slots=True)
class PastQuery:
    text: str
    words: tuple[str, ...]  # that tell anything
    a_day: float  # times
    found: int  # pages, altogether
    best: float  # score of the best page, over the sum of the rarities of the words
    opened: float = 0.0  # share of the times that a result was opened
    hits: Mapping[str, int] = field(default_factory=dict)  # of the ten best, by engine
    shown: tuple[ShownPage, ...] = ()  # the best of them, in order


@dataclass(frozen=True, slots=True)
class PlannedEngine:
    name: str
    topic: str
    pages: int
    topic_words: frozenset[str] = frozenset()
    # word → pages that have it, as far as the engine says; only words of past queries matter
    documents: Mapping[str, int] = field(default_factory=dict)

    def density(self, word: str) -> float:
        """Share of its pages that have a word."""
        return min(1.0, self.documents.get(word, 0) / max(1, self.pages))


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two engines that hold the same."""

    one: str
    other: str
    share: float  # of the smaller one's pages, in [0, 1]


def good_score(queries: Sequence[PastQuery]) -> float:
    """What the best page of a good answer scores: as those that people opened, if they are enough,
    else as the better half of what was found.

    >>> good_score([PastQuery("a", ("a",), 1.0, 5, best) for best in (0.5, 2.0, 2.0)])
    2.0
    """
    opened = [query.best for query in queries if query.opened > 0.0 and query.found]
    if len(opened) >= _KNOWN_GOOD:
        return median(opened)
    found = [query.best for query in queries if query.found]
    return median(sorted(found)[len(found) // 2 :]) if found else 1.0


def answer_quality(query: PastQuery, good: float) -> float:
    """How well a query was answered, in [0, 1]: as often as a result was opened; else as its best
    page scores beside a good one, less where there is hardly anything to choose from.

    >>> answer_quality(PastQuery("moon", ("moon",), 1.0, found=9, best=1.0), good=2.0)
    0.5
    >>> answer_quality(PastQuery("moon", ("moon",), 1.0, found=0, best=0.0), good=2.0)
    0.0
    """
    if not query.found:
        return 0.0
    score = min(1.0, max(0.0, query.best) / good) if good > 0.0 else 1.0
    choice = min(1.0, query.found / ENOUGH)
    return max(min(1.0, query.opened), score * choice)
