"""What people ask: topics and words by Zipf's law, and what is asked for most drifts.

A topic's popularity is its rank by a score that turns slowly: the sum of two normal draws, one
weighted by the cosine and one by the sine of an angle that grows with time. So at any time few
topics have most of the queries, and after a quarter of a turn they are others. The words of a query
are those of a page on the topic: half of them of its title, half of its text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.federation.word_index import WordIndex
from trapline.oasis.query_keys import QueryKeys

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_STEEPNESS: Final = 0.8  # of topics
_FEWEST: Final = 2  # words of a query
_MOST: Final = 4
_OF_TITLE: Final = 0.5  # of the queries
_TOO_COMMON: Final = 0.1  # words that more pages have are not asked for


@dataclass(frozen=True, slots=True)
class WorldQuery:
    at_s: float
    topic: int
    words: tuple[int, ...]
    keys: QueryKeys


class QueryStream:
    """`turn_s` is how long a whole turn of the topics takes; inf = nothing drifts."""

    def __init__(
        self,
        index: WordIndex,
        topic: Integers,
        keys: NDArray[np.uint64],
        *,
        turn_s: float,
        seed: int,
    ) -> None:
        self._index = index
        self._topic = topic
        self._keys = keys
        self._turn_s = turn_s
        self._rng = np.random.default_rng(seed)
        self._scores = self._rng.normal(size=(2, int(topic.max()) + 1))

    def popularity(self, at_s: float) -> Floats:
        """Of each topic; sums to 1."""
        angle = 2.0 * np.pi * at_s / self._turn_s
        score = np.cos(angle) * self._scores[0] + np.sin(angle) * self._scores[1]
        rank = np.empty(len(score))
        rank[np.argsort(-score)] = np.arange(len(score))
        weight = (rank + 1.0) ** -_STEEPNESS
        share: Floats = weight / weight.sum()
        return share

    def ask(self, at_s: float) -> WorldQuery:
        """The next query, at that time."""
        popular = self.popularity(at_s)
        while True:
            topic = int(self._rng.choice(len(popular), p=popular))
            pages = np.flatnonzero(self._topic == topic)
            if len(pages):
                break
        words = self._words_of(int(self._rng.choice(pages)))
        keys = QueryKeys(tuple((int(self._keys[word]),) for word in words))
        return WorldQuery(
            at_s,
            topic,
            words,
            keys,
        )

    def _words_of(self, page: int) -> tuple[int, ...]:
        entries = self._index.entries_of_pages(np.array([page]))
        words = self._index.bags.word[entries]
        # people ask for what a page dwells on
        weight = self._index.bags.count[entries].astype(np.float64) ** 2
        weight *= self._pages_with(words) < _TOO_COMMON * len(self._topic)
        if self._rng.random() < _OF_TITLE:
            weight *= self._index.bags.in_title[entries]
        if np.count_nonzero(weight) < _FEWEST:
            weight = np.ones(len(words))
        most = min(_MOST, int(np.count_nonzero(weight)))
        size = int(self._rng.integers(_FEWEST, most + 1))
        chosen = self._rng.choice(
            words,
            size,
            replace=False,
            p=weight / weight.sum(),
        )
        return tuple(chosen.tolist())

    def _pages_with(self, words: Integers) -> Integers:
        starts = self._index.word_starts
        return starts[words + 1] - starts[words]
