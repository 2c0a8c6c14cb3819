"""What was asked of a federation, and how well it was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

ENOUGH: Final = 3  # results found: nobody needs more to choose from
WELL: Final = 0.7  # quality from which a query counts as answered well
_GUESS: Final = 2.0  # times that a query is asked say as much as scores do
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
    times: int = 0  # that it was asked in all: how much not opening anything says


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


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual among all queries."""

    score: float  # of the best page of a good answer
    opened: float  # share of the times that a result is opened; 0 = nobody tells

    @classmethod
    def of(cls, queries: Sequence[PastQuery]) -> Usual:
        """Good answers score as those that people opened, if they are enough, else as the better
        half of what was found.

        >>> Usual.of([PastQuery("a", ("a",), 1.0, 5, best) for best in (0.5, 2.0, 2.0)])
        Usual(score=2.0, opened=0.0)
        """
        found = [query for query in queries if query.found]
        opened = [query.best for query in found if query.opened > 0.0]
        better = sorted(query.best for query in found)[len(found) // 2 :]
        score = median(opened if len(opened) >= _KNOWN_GOOD else better or [1.0])
        asked = sum(query.a_day for query in found)
        told = len(opened) >= _KNOWN_GOOD and asked > 0.0
        share = sum(query.a_day * query.opened for query in found) / (asked or 1.0)
        return cls(score, min(1.0, share) if told else 0.0)


def answer_quality(query: PastQuery, usual: Usual) -> float:
    """How well a query was answered, in [0, 1].

    At first as its best page scores beside a good one, less where there is hardly anything to
    choose from; then as often as a result is opened, beside what is usual.

    >>> moon = PastQuery("moon", ("moon",), 1.0, found=9, best=1.0)
    >>> answer_quality(moon, Usual(2.0, opened=0.0))
    0.5
    >>> answer_quality(moon, Usual(1.0, opened=0.5)), answer_quality(moon, Usual(1.0, opened=0.0))
    (1.0, 1.0)
    >>> from dataclasses import replace
    >>> answer_quality(replace(moon, times=6), Usual(1.0, opened=0.5))  # nobody opened a result
    0.25
    """
    if not query.found:
        return 0.0
    score = min(1.0, max(0.0, query.best) / usual.score) if usual.score > 0.0 else 1.0
    guess = score * min(1.0, query.found / ENOUGH)
    if usual.opened > 0.0:
        seen = min(1.0, query.opened / usual.opened)
        guess = (_GUESS * guess + query.times * seen) / (_GUESS + query.times)
    return max(min(1.0, query.opened), guess)
