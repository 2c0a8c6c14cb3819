"""Queries that ask for the same topic: grouped by the rare words that they share.

Agglomerative, by the mean likeness of all pairs: two queries are alike as the cosine of their
words, each as heavy as it is rare. The two groups that are most alike become one until no two are
alike enough. Nothing is drawn: the same queries make the same groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

ALIKE: Final = 0.15  # mean cosine of two groups that become one
MOST: Final = 500  # queries that are grouped; it takes their third power of steps

Floats = NDArray[np.float64]


def group_queries(
    queries: Sequence[Sequence[str]], rarity: Mapping[str, float]
) -> list[list[int]]:
    """The places of queries, given as words, that belong together; each place once, in order.

    >>> queries = [("mars", "rover"), ("tea", "cake"), ("mars", "moons")]
    >>> group_queries(queries, {word: 1.0 for query in queries for word in query})
    [[0, 2], [1]]
    """
    groups = [[place] for place in range(len(queries))]
    alike = _likeness(queries, rarity)
    np.fill_diagonal(alike, -1.0)
    while len(groups) > 1:
        one, other = divmod(int(alike.argmax()), len(groups))
        if alike[one, other] < ALIKE:
            break
        one, other = min(one, other), max(one, other)
        alike = _merge(alike, one, other, len(groups[one]), len(groups[other]))
        groups[one] += groups.pop(other)
    return sorted(sorted(group) for group in groups)


def _likeness(queries: Sequence[Sequence[str]], rarity: Mapping[str, float]) -> Floats:
    """The cosine of each pair."""
    words = sorted({word for query in queries for word in query})
    columns = {word: column for column, word in enumerate(words)}
    vectors = np.zeros((len(queries), len(words)))
    for vector, query in zip(vectors, queries, strict=True):
        places = [columns[word] for word in query]
        vector[places] = [rarity.get(word, 0.0) for word in query]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0.0] = 1.0
    vectors /= lengths
    return np.asarray(vectors @ vectors.T)


def _merge(alike: Floats, one: int, other: int, size: int, more: int) -> Floats:
    """The mean over all pairs is the mean of the groups', by size."""
    share = more / (size + more)
    row = (1.0 - share) * alike[one] + share * alike[other]
    row[one] = -1.0
    alike[one] = row
    alike[:, one] = row
    fewer = np.delete(alike, other, axis=0)
    return np.delete(fewer, other, axis=1)
