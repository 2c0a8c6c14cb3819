"""Queries that ask for the same topic: grouped by the rare words that they share.

Agglomerative: a group is the sum of its queries, each a vector of its words, as heavy as they are
rare; two groups are alike as the cosine of their sums. The two that are most alike become one until
no two are alike enough. So two queries of a topic need not share a word themselves: others of their
group do. Nothing is drawn: the same queries make the same groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

ALIKE: Final = 0.08  # cosine of two groups that become one
MOST: Final = 500  # queries that are grouped; it takes their third power of steps

Floats = NDArray[np.float64]


def group_queries(
    queries: Sequence[Sequence[str]], rarity: Mapping[str, float]
) -> list[list[int]]:
    """The places of queries, given as words, that belong together; each place once, in order.

    >>> queries = [("mars", "rover"), ("tea", "cake"), ("mars", "moons"), ("moons", "orbit")]
    >>> group_queries(queries, {word: 1.0 for query in queries for word in query})
    [[0, 2, 3], [1]]
    """
    groups = [[place] for place in range(len(queries))]
    products = _products(queries, rarity)
    while len(groups) > 1:
        lengths = np.sqrt(np.maximum(products.diagonal(), 1e-12))
        alike = products / np.outer(lengths, lengths)
        np.fill_diagonal(alike, -1.0)
        one, other = divmod(int(alike.argmax()), len(groups))
        if alike[one, other] < ALIKE:
            break
        products = _add(
            products,
            one,
            other,
        )
        groups[one] += groups.pop(other)
    return sorted(sorted(group) for group in groups)


def _products(queries: Sequence[Sequence[str]], rarity: Mapping[str, float]) -> Floats:
    """The inner product of each pair; of a query with words that tell something, 1 with itself."""
    words = sorted({word for query in queries for word in query})
    columns = {word: column for column, word in enumerate(words)}
    vectors = np.zeros((len(queries), len(words)))
    for vector, query in zip(
        vectors,
        queries,
        strict=True,
    ):
        places = [columns[word] for word in query]
        vector[places] = [rarity.get(word, 0.0) for word in query]
    lengths = np.linalg.norm(
        vectors,
        axis=1,
        keepdims=True,
    )
    lengths[lengths == 0.0] = 1.0
    vectors /= lengths
    return np.asarray(vectors @ vectors.T)


def _add(
    products: Floats,
    one: int,
    other: int,
) -> Floats:
    """The group at `other` becomes part of that at `one`, which stands before it."""
    products[one] += products[other]
    products[:, one] += products[:, other]
    fewer = np.delete(
        products,
        other,
        axis=0,
    )
    return np.delete(
        fewer,
        other,
        axis=1,
    )
