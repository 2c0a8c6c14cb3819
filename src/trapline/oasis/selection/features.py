"""What the selectors and a few counts say of each engine, as the numbers that `learnt` adds up.

All are compared within a query: shares are logarithms, so that a sum of them is a product of
shares, and the best engine has about 0. A new feature is one more name and one more column; its
weight is learnt anew by `trapline lab run oasis/selection`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.federation import Federation, WordStatistics
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sampled_pages import SampledPages
from trapline.oasis.selection.cori import cori_belief
from trapline.oasis.selection.coverage import covering_pages
from trapline.oasis.selection.crcs import (
    best_pages,
    exponential_worth,
    linear_worth,
    pages_stood_for,
    sum_of_ranks,
)
from trapline.oasis.selection.query_likelihood import log_likelihood
from trapline.oasis.selection.selector import Floats
from trapline.oasis.selection.taily import tail_pages

_PLAIN: Final = (
    "cori",
    "likelihood",
    "taily",
    "coverage",
    "size",
    "cover",
    "rarest",
    "crcs",
    "crcs_exponential",
    "near_best",
    "near_best_unscaled",
    "best_title",
)
# each once more, times the length of the query: long ones are asked otherwise than names
FEATURES: Final = (*_PLAIN, *(f"{name}_if_long" for name in _PLAIN))
_LEAST_SHARE: Final = 1e-3  # what a share of nothing counts as
_TEN: Final = 10.0
_NEAR: Final = (
    0.5  # in points of a score: how far behind the best a sampled page still counts
)
_MOST_NEAR: Final = 200  # sampled pages that are looked at
_MIDDLE: Final = 5.0  # words of a query that is neither short nor long


def feature_matrix(query: QueryKeys, federation: Federation) -> Floats:
    """A row an engine, a column a feature."""
    words = federation.look_up(query)
    pages = federation.try_on_samples(query, words.rarity)
    plain = np.column_stack(
        [*_of_statistics(words, federation), *_of_samples(pages, federation)]
    )
    long = float(np.clip((len(query.words) - _MIDDLE) / 3.0, -1.5, 1.5))
    return np.hstack((plain, long * plain))


def _of_statistics(words: WordStatistics, federation: Federation) -> list[Floats]:
    likelihood = log_likelihood(words, federation.postings)
    return [
        10.0 * _below_best(cori_belief(words, federation.postings)),
        np.maximum(_below_best(likelihood), -20.0) / 2.0,
        _log_share(tail_pages(words, federation.pages, _TEN)),
        _log_share(covering_pages(words, federation.pages)),
        _log_share(federation.pages),
        _below_best(_cover(words)),
        _log_share(_having_rarest(words, len(federation))),
    ]


def _of_samples(pages: SampledPages, federation: Federation) -> list[Floats]:
    stands_for = pages_stood_for(federation)
    first = best_pages(pages.score, _MOST_NEAR)
    engines = pages.engine[first]
    behind = pages.score[first] - pages.score.max(initial=0.0)
    near = np.exp(behind / _NEAR)
    nearly = np.exp(behind / (2.0 * _NEAR))
    count = len(federation)
    return [
        _log_share(sum_of_ranks(engines, stands_for, linear_worth())),
        _log_share(sum_of_ranks(engines, stands_for, exponential_worth())),
        _log_share(_sum_by(engines, near * stands_for[engines], count)),
        _log_share(_sum_by(engines, nearly, count)),
        _below_best(_best_of(pages, pages.likeness, count)),
    ]


def _sum_by(engines: NDArray[np.intp], numbers: Floats, count: int) -> Floats:
    """Of each engine the sum of its pages' numbers."""
    return np.asarray(np.bincount(engines, numbers, count), np.float64)


def _below_best(numbers: Floats) -> Floats:
    below: Floats = numbers - numbers.max(initial=-np.inf)
    return below


def _log_share(numbers: Floats) -> Floats:
    """
    >>> _log_share(np.array([3.0, 1.0, 0.0])).round(2)
    array([-0.29, -1.38, -6.91])
    """
    share = numbers / max(float(numbers.sum()), 1e-300)
    found: Floats = np.log(share + _LEAST_SHARE)
    return found


def _cover(words: WordStatistics) -> Floats:
    """The share of the query, by rarity, that any page of an engine has."""
    total = float(words.rarity.sum()) or 1.0
    cover: Floats = words.rarity @ (words.documents > 0) / total
    return cover


def _having_rarest(words: WordStatistics, engines: int) -> Floats:
    """Documents with the rarest word that anybody has."""
    known = words.documents.sum(axis=1) > 0
    if not known.any():
        return np.zeros(engines)
    found: Floats = words.documents[np.argmax(np.where(known, words.rarity, -1.0))]
    return found


def _best_of(pages: SampledPages, numbers: Floats, engines: int) -> Floats:
    """The highest number of an engine's sampled pages; 0 if none has any of the words."""
    best = np.zeros(engines)
    # pages are in the order of engines
    firsts = np.searchsorted(pages.engine, np.arange(engines + 1))
    there = np.flatnonzero(np.diff(firsts))
    if len(there):
        best[there] = np.maximum.reduceat(numbers, firsts[there])
    return best
