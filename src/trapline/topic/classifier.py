"""Relevance learnt from labels: logistic regression on hashed TF-IDF vectors, blended with the
likeness to the topic.

    relevance = (1 − b)·r + b/(1 + e^(−w·x − w₀)),   b = n/(n + 10)

with r the relevance by likeness and n the number of labels, or twice the number on the rarer side
if that is less: who has only ever said yes has not said where to stop. Examples and
counter-examples of the topic are learnt from as if they were labelled, but do not count in n.
Without labels nothing changes; with many the classifier decides.

Both sides weigh alike however many documents they have. The regression is solved anew from all
labels when one has come, by gradient descent from zero, so that the order in which they came and
repetitions do not matter.

>>> from trapline.topic.document_frequencies import Frequencies
>>> from trapline.topic.word_hashes import count_words
>>> labels, weights = Classifier(), Frequencies().weights
>>> tea, stars = count_words("", "tea leaves and water"), count_words("", "stars and planets")
>>> labels.blend(0.5, tea, weights)
0.5
>>> for key in range(20):
...     labels.put(key, tea if key % 2 else stars, belongs=key % 2 == 1)
>>> labels.blend(0.5, tea, weights) > 0.7, labels.blend(0.5, stars, weights) < 0.3
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.topic.vectors import components
from trapline.topic.word_hashes import WordCounts
from trapline.topic.word_kernels import Weights

PLACES: Final = 1 << 16
MOST: Final = 1_000  # labels; of more, the newest
_DOUBT: Final = 10.0  # labels that the likeness to the topic is worth
_SHRINK: Final = 1e-3
# safe: vectors of length 1 and a logistic loss curve by less than 1/2
_STEP: Final = 2.0
_STEPS: Final = 100


class _Line(NamedTuple):
    """w·x + w₀ > 0 on the side that belongs."""

    slopes: NDArray[np.float64]
    offset: float


class Classifier:
    def __init__(self) -> None:
        self._labels: dict[object, tuple[WordCounts, bool]] = {}
        self._background: list[tuple[WordCounts, bool]] = []
        self._share = 0.0
        self._line: _Line | None = None  # None = to be solved
        self._weights: Weights | None = None  # that it was solved with

    def __len__(self) -> int:
        return len(self._labels)

    def put(self, key: object, counts: WordCounts, *, belongs: bool) -> None:
        """The last label under a key counts. A document without words teaches nothing."""
        self._labels.pop(key, None)
        if len(counts.words):
            self._labels[key] = (counts, belongs)
        if len(self._labels) > MOST:
            del self._labels[next(iter(self._labels))]
        self._note_change()

    def background(
        self, likes: Iterable[WordCounts], unlikes: Iterable[WordCounts]
    ) -> None:
        self._background = [(counts, True) for counts in likes] + [
            (counts, False) for counts in unlikes
        ]
        self._note_change()

    def blend(self, relevance: float, counts: WordCounts, weights: Weights) -> float:
        share = self._share
        if share == 0.0 or not len(counts.words):
            return relevance
        if self._line is None or self._weights is not weights:
            self._line = _solve(self._lessons(), weights)
            self._weights = weights
        own = components(counts, weights)
        height = (
            float(own @ self._line.slopes[counts.words & (PLACES - 1)])
            + self._line.offset
        )
        return (1.0 - share) * relevance + share / (
            1.0 + math.exp(-max(-50.0, min(50.0, height)))
        )

    def _note_change(self) -> None:
        self._line = None
        lessons = self._lessons()
        yes = sum(belongs for _, belongs in lessons)
        count = min(len(self._labels), 2 * min(yes, len(lessons) - yes))
        self._share = count / (count + _DOUBT)

    def _lessons(self) -> list[tuple[WordCounts, bool]]:
        return [*self._labels.values(), *self._background]


def _solve(lessons: list[tuple[WordCounts, bool]], weights: Weights) -> _Line:
    """Least logistic loss, both sides weighing alike, with a little shrinkage."""
    documents = [counts for counts, _ in lessons if len(counts.words)]
    sides = np.array(
        [belongs for counts, belongs in lessons if len(counts.words)], np.float64
    )
    places = np.concatenate([counts.words for counts in documents]) & (PLACES - 1)
    parts = np.concatenate([components(counts, weights) for counts in documents])
    sizes = np.array([len(counts.words) for counts in documents])
    starts = np.cumsum(sizes) - sizes
    rows = np.repeat(np.arange(len(documents)), sizes)
    costs = np.where(sides > 0.5, 0.5 / sides.sum(), 0.5 / (1.0 - sides).sum())
    slopes = np.zeros(PLACES)
    offset = 0.0
    for _ in range(_STEPS):
        heights = np.add.reduceat(parts * slopes[places], starts) + offset
        pulls = costs * (sides - 1.0 / (1.0 + np.exp(-heights)))
        slopes += _STEP * (
            np.bincount(places, parts * pulls[rows], PLACES) - _SHRINK * slopes
        )
        offset += _STEP * float(pulls.sum())
    return _Line(slopes, offset)
