"""What the selectors and a few counts say of each engine, as the numbers that `learnt` adds up.

All are compared within a query: shares are logarithms, so that a sum of them is a product of
shares, and the best engine has about 0. A new feature is one more name and one more column; its
weight is learnt anew by `trapline lab run oasis/selection`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation, WordStatistics
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sampled_pages import SampledPages
from trapline.oasis.selection.cori import cori_belief
from trapline.oasis.selection.crcs import (
    engines_of_best,
    exponential_worth,
    linear_worth,
    pages_stood_for,
    sum_of_ranks,
)
from trapline.oasis.selection.query_likelihood import log_likelihood
from trapline.oasis.selection.selector import Floats
from trapline.oasis.selection.taily import tail_pages

FEATURES: Final = (
    "cori",
    "likelihood",
    "taily",
    "crcs",
    "crcs_exponential",
    "size",
    "cover",
    "rarest",
    "best_page",
    "best_title",
)
_LEAST_SHARE: Final = 1e-3  # what a share of nothing counts as


def feature_matrix(query: QueryKeys, federation: Federation) -> Floats:
    """A row an engine, a column a feature."""
    words = federation.look_up(query)
    pages = federation.try_on_samples(query, words.rarity)
    stands_for = pages_stood_for(federation)
    best = engines_of_best(pages)
    likelihood = log_likelihood(words, federation.postings)
    columns = (
        10.0 * _below_best(cori_belief(words, federation.postings)),
        np.maximum(_below_best(likelihood), -20.0) / 2.0,
        _log_share(tail_pages(words, federation.pages)),
        _log_share(sum_of_ranks(best, stands_for, linear_worth())),
        _log_share(sum_of_ranks(best, stands_for, exponential_worth())),
        _log_share(federation.pages),
        _below_best(_cover(words)),
        _log_share(_having_rarest(words, len(federation))),
        _below_best(_best_of(pages, pages.score, len(federation))),
        _below_best(_best_of(pages, pages.likeness, len(federation))),
    )
    return np.column_stack(columns)


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
