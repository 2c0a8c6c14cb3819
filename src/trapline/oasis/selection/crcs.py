"""CRCS: the query is tried on the sampled pages, and each stands for many of its engine.

Shokouhi, "Central-rank-based collection selection in uncooperative distributed information
retrieval", ECIR 2007. The sampled pages of all engines are ranked together; of the first γ the one
at rank j is worth γ − j (equation 3, linear) or α·e^(−β·j) (equation 4, exponential). An engine
gets the sum over its pages, times the pages that each of them stands for (equation 5). Pages are
scored with the shared rarities, and words of the title count more (`sampled_pages`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.federation import Federation
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sampled_pages import SampledPages
from trapline.oasis.selection.selector import Floats

_FIRST: Final = 50  # γ
_FALL: Final = 0.28  # β


class Crcs:
    """Linear."""

    def score(self, query: QueryKeys, federation: Federation) -> Floats:
        return _sum_up(query, federation, linear_worth())


class CrcsExponential:
    def score(self, query: QueryKeys, federation: Federation) -> Floats:
        return _sum_up(query, federation, exponential_worth())


def linear_worth(first: int = _FIRST) -> Floats:
    """
    >>> linear_worth(4)
    array([4., 3., 2., 1.])
    """
    return np.arange(first, 0.0, -1.0)


def exponential_worth(first: int = _FIRST) -> Floats:
    worth: Floats = np.exp(-_FALL * np.arange(first))
    return worth


def sum_of_ranks(best: NDArray[np.intp], stands_for: Floats, worth: Floats) -> Floats:
    """What ranks are worth, by engine; `best` are the engines of the best pages, in order."""
    some = best[: len(worth)]
    found = np.bincount(some, worth[: len(some)], len(stands_for))
    scaled: Floats = found * stands_for
    return scaled


def best_pages(scores: Floats, most: int) -> NDArray[np.intp]:
    """Places of the highest scores, best first.

    >>> best_pages(np.array([2.0, 5.0, 3.0]), 2)
    array([1, 2])
    """
    first = np.arange(len(scores))
    if len(scores) > most:
        first = np.argpartition(-scores, most)[:most]
    return first[np.argsort(-scores[first], kind="stable")]


def engines_of_best(pages: SampledPages) -> NDArray[np.intp]:
    return pages.engine[best_pages(pages.score, _FIRST)]


def pages_stood_for(federation: Federation) -> Floats:
    """How many pages of its engine a sampled page stands for."""
    return federation.pages / np.maximum(federation.samples.sizes, 1)


def _sum_up(query: QueryKeys, federation: Federation, worth: Floats) -> Floats:
    rarity = federation.look_up(query).rarity
    pages = federation.try_on_samples(query, rarity)
    return sum_of_ranks(engines_of_best(pages), pages_stood_for(federation), worth)
