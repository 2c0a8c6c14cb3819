"""The vector space model: texts as vectors of weighted words, likeness as the cosine of two of
them.

    component of a word = (1 + ln times) · weight,   likeness(a, b) = a·b / (|a|·|b|)

(Salton & Buckley 1988, "Term-weighting approaches in automatic text retrieval": log frequency ×
inverse document frequency, cosine-normalised.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import kernel
from trapline.topic.document_frequencies import weight_of
from trapline.topic.word_hashes import WordCounts
from trapline.topic.word_kernels import Hashes, Weights

MOST_WORDS: Final = 2_000  # of a vector that texts are compared with: the strongest


class Vector(NamedTuple):
    """Words and their components, of length 1, as an open-addressing table; word 0 = a
    free place.
    """

    words: Hashes
    parts: Weights
    strongest: float  # the largest component

    def as_dict(self, share: float) -> dict[int, float]:
        """Its components, times `share`."""
        taken = np.flatnonzero(self.words)
        return dict(
            zip(
                self.words[taken].tolist(),
                (share * self.parts[taken].astype(float)).tolist(),
                strict=True,
            )
        )


NOTHING: Final = Vector(np.zeros(1, np.int32), np.zeros(1, np.float32), 0.0)


def vector_of(parts: Mapping[int, float]) -> Vector:
    """The unit vector of these components (negative ones allowed); NOTHING if there is none."""
    strongest = sorted(parts.items(), key=lambda item: (-abs(item[1]), item[0]))[
        :MOST_WORDS
    ]
    length = math.sqrt(sum(part * part for _, part in strongest))
    if not length > 0.0:
        return NOTHING
    size = 1 << (2 * len(strongest)).bit_length()
    words = np.zeros(size, np.int32)
    values = np.zeros(size, np.float32)
    for word, part in strongest:
        slot = word & (size - 1)
        while words[slot]:
            slot = (slot + 1) & (size - 1)
        words[slot] = word
        values[slot] = part / length
    return Vector(words, values, max(part for _, part in strongest) / length)


def components(counts: WordCounts, weights: Weights) -> NDArray[np.float64]:
    """The components of a document, of length 1 (all 0 if it has no telling word)."""
    parts = np.empty(len(counts.words))
    _components(counts.words, counts.times, weights, parts)
    return parts


def likeness(counts: WordCounts, weights: Weights, vector: Vector) -> float:
    """Cosine of a document and a vector; 0 for a document without words."""
    return float(
        _likeness(counts.words, counts.times, weights, vector.words, vector.parts)
    )


@kernel
def part_of(words: Hashes, parts: Weights, word: int) -> float:
    mask = words.size - 1
    slot = word & mask
    while words[slot]:
        if words[slot] == word:
            return float(parts[slot])
        slot = (slot + 1) & mask
    return 0.0


@kernel
def _components(
    words: Hashes, times: Weights, weights: Weights, parts: NDArray[np.float64]
) -> None:
    square = 0.0
    for i in range(words.size):
        parts[i] = (1.0 + np.log(times[i])) * weight_of(weights, words[i])
        square += parts[i] * parts[i]
    if square > 0.0:
        length = np.sqrt(square)
        for i in range(words.size):
            parts[i] /= length


@kernel
def _likeness(
    words: Hashes, times: Weights, weights: Weights, known: Hashes, parts: Weights
) -> float:
    product = square = 0.0
    for i in range(words.size):
        part = (1.0 + np.log(times[i])) * weight_of(weights, words[i])
        square += part * part
        product += part * part_of(known, parts, words[i])
    return product / np.sqrt(square) if square > 0.0 else 0.0
