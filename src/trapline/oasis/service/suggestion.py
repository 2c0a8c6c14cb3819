"""What an engine, or somebody who would start one, is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

NEW_ENGINE: Final = "new engine"
SHIFT: Final = "shift"
LEAVE_TO: Final = "leave to"
MOST_WORDS: Final = 8
MOST_EXAMPLES: Final = 10


@dataclass(frozen=True, slots=True)
class Suggestion:
    kind: str  # NEW_ENGINE, SHIFT or LEAVE_TO
    engine: str  # that should act; "" = one that is not there yet
    words: tuple[str, ...]  # of the topic, the weightiest first
    queries: tuple[str, ...]  # examples, the most frequent first
    examples: tuple[str, ...]  # URLs of pages that belong to the topic
    against: tuple[str, ...]  # of pages that do not: others hold them
    queries_a_day: float  # that gain
    gain: float  # in the share of all queries that is answered well
    reason: str
    other: str = ""  # to whom it is left


def heaviest_words(weights: Mapping[str, float]) -> tuple[str, ...]:
    heavy = sorted(weights, key=lambda word: (-weights[word], word))
    return tuple(word for word in heavy if weights[word] > 0.0)[:MOST_WORDS]


def heaviest_urls(weighed: Iterable[tuple[str, float]]) -> tuple[str, ...]:
    """The URLs of most weight, each once.

    >>> heaviest_urls([("http://a.org/", 1.0), ("http://b.org/", 1.5), ("http://a.org/", 1.0)])
    ('http://a.org/', 'http://b.org/')
    """
    total: dict[str, float] = defaultdict(float)
    for url, weight in weighed:
        total[url] += weight
    best = sorted(total, key=lambda url: (-total[url], url))
    return tuple(best[:MOST_EXAMPLES])
