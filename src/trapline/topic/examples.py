"""Example documents: their centroid, and how like each of them is to what the others make of the
topic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.topic.vectors import Vector, components, likeness
from trapline.topic.word_hashes import WordCounts
from trapline.topic.word_kernels import Hashes, Weights

MOST: Final = 200  # examples; of more, the newest


class Total(NamedTuple):
    """The sum of documents as unit vectors."""

    documents: list[WordCounts]
    weights: Weights
    words: Hashes  # different ones, sorted
    parts: NDArray[np.float64]

    def centroid(self) -> dict[int, float]:
        """The components of the sum, of length 1."""
        length = float(np.linalg.norm(self.parts))
        return (
            dict(zip(self.words.tolist(), (self.parts / length).tolist(), strict=True))
            if length > 0.0
            else {}
        )

    def each_among_others(self, keywords: Vector) -> list[float]:
        """Likeness of each document to the topic that the keywords (if any) and the other documents
        make.

        Leaving one out needs no new sum: x·(S − x) = x·S − 1, |S − x|² = |S|² − 2 x·S + 1.
        """
        square = float(self.parts @ self.parts)
        by_keywords = [
            likeness(counts, self.weights, keywords) for counts in self.documents
        ]
        return [
            self._among_others(
                counts,
                square,
                by_keyword,
                sum(by_keywords) - by_keyword,
                keywords.strongest > 0.0,
            )
            for counts, by_keyword in zip(self.documents, by_keywords, strict=True)
        ]

    def _among_others(
        self,
        counts: WordCounts,
        square: float,
        by_keyword: float,
        others_by_keyword: float,
        mixed: bool,
    ) -> float:
        own = components(counts, self.weights)
        with_all = float(own @ self.parts[np.searchsorted(self.words, counts.words)])
        with_self = float(own @ own)
        length = math.sqrt(max(0.0, square - 2.0 * with_all + with_self))
        if length < 1e-6:  # there is no other
            return by_keyword
        by_others = (with_all - with_self) / length
        if not mixed:
            return by_others
        return (by_keyword + by_others) / math.sqrt(
            2.0 + 2.0 * others_by_keyword / length
        )


class Examples:
    """Documents under keys, the newest `MOST` of them."""

    def __init__(self) -> None:
        self._documents: dict[object, WordCounts] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[WordCounts]:
        return iter(self._documents.values())

    def put(self, key: object, counts: WordCounts) -> None:
        self.drop(key)
        self._documents[key] = counts
        if len(self._documents) > MOST:
            del self._documents[next(iter(self._documents))]

    def drop(self, key: object) -> None:
        self._documents.pop(key, None)

    def total(self, weights: Weights) -> Total:
        documents = list(self)
        if not documents:
            return Total([], weights, np.zeros(0, np.int32), np.zeros(0))
        words, places = np.unique(
            np.concatenate([counts.words for counts in documents]), return_inverse=True
        )
        parts = np.concatenate([components(counts, weights) for counts in documents])
        return Total(
            documents,
            weights,
            words,
            np.bincount(places, parts, len(words)).astype(np.float64),
        )
