"""All that was asked of a federation together: how well, and what words are worth in it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from trapline.oasis.service.past_queries import (
    WELL,
    PastQuery,
    PlannedEngine,
    Usual,
    answer_quality,
)
from trapline.oasis.terms import rarity

_OWN: Final = 20.0  # pages of an engine with a word that make half a word its own
_RAREST: Final = 4.0  # a page in fifty
_QUERIES: Final = 30  # fewer do not tell which words are common
_HOPED: Final = 0.8  # quality, where nothing is answered well yet


class PastService:
    def __init__(
        self, queries: Sequence[PastQuery], engines: Sequence[PlannedEngine]
    ) -> None:
        self.queries = sorted(queries, key=lambda query: (-query.a_day, query.text))
        self.engines = {engine.name: engine for engine in engines}
        self.a_day = sum(query.a_day for query in queries) or 1.0
        usual = Usual.of(queries)
        self._quality = {query.text: answer_quality(query, usual) for query in queries}
        words = sorted({word for query in queries for word in query.words})
        self.rarity = {word: self._rarity(word) for word in words}

    def quality(self, query: PastQuery) -> float:
        return self._quality[query.text]

    def is_bad(self, query: PastQuery) -> bool:
        return self.quality(query) < WELL

    def loss(self, query: PastQuery) -> float:
        """Queries a day that nobody answered."""
        return query.a_day * (1.0 - self.quality(query))

    def mean_quality(self, queries: Sequence[PastQuery]) -> float:
        asked = sum(query.a_day for query in queries)
        if asked <= 0.0:
            return _HOPED
        return sum(query.a_day * self.quality(query) for query in queries) / asked

    def hoped_quality(self) -> float:
        """How well queries are answered that are answered well."""
        return self.mean_quality([one for one in self.queries if not self.is_bad(one)])

    def sole_service(self, name: str) -> float:
        """Queries a day that are answered well by what an engine alone holds: what would be lost
        with it.
        """
        return math.fsum(
            query.a_day * self.quality(query) * _held_alone(query, name)
            for query in self.queries
            if not self.is_bad(query)
        )

    def nearness(self, engine: PlannedEngine, weights: Mapping[str, float]) -> float:
        """The share of some words, by weight, that are an engine's own."""
        total = sum(weights.values())
        own = math.fsum(
            weight * self._is_own(engine, word) for word, weight in weights.items()
        )
        return own / total if total > 0.0 else 0.0

    def _is_own(self, engine: PlannedEngine, word: str) -> float:
        """In [0, 1]: a word of its topic, or one that is more frequent there than elsewhere, on
        pages enough.
        """
        if word in engine.topic_words:
            return 1.0
        here = engine.density(word)
        if here <= 0.0:
            return 0.0
        everywhere = math.fsum(one.density(word) for one in self.engines.values())
        documents = engine.documents[word]
        return here / everywhere * documents / (documents + _OWN)

    def _rarity(self, word: str) -> float:
        """By the pages of all engines; by the queries themselves where engines say nothing.

        Bounded: a word that nobody has must not outweigh what a query says of its topic.
        """
        telling = [engine for engine in self.engines.values() if engine.documents]
        if not telling:
            asking = sum(word in query.words for query in self.queries)
            return min(_RAREST, rarity(max(_QUERIES, len(self.queries)), asking))
        pages = sum(engine.pages for engine in telling)
        documents = sum(engine.documents.get(word, 0) for engine in telling)
        return min(_RAREST, rarity(pages, documents))


def _held_alone(query: PastQuery, name: str) -> float:
    """The share of what was opened, else of what was shown, that one engine holds and nobody
    else.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    for page in [one for one in query.shown if one.opened] or query.shown:
        holders[page.url].add(page.engine)
    if not holders:
        return query.hits.get(name, 0) / max(1, sum(query.hits.values()))
    return sum(engines == {name} for engines in holders.values()) / len(holders)
