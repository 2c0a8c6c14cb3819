"""Taily: how many of an engine's pages score above the federation's threshold.

Aly, Hiemstra, Demeester, "Taily: shard selection using the tail of score distributions", SIGIR
2013. The score of a page that has all words is taken as Gamma distributed, with the sums of the
words' means and variances (equations 4 to 6). `All` is how many pages are expected to have all
words (equation 9, words independent). The threshold is where the federation as a whole has n_c
pages above it (equation 10); an engine counts the pages of its own tail. Scores are by the shared
rarities, so that one threshold fits all.

A word that an engine lacks is given a small share of a document: a long query has hardly a page
with all words, and the paper's 0 for every engine would rank none.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation, WordStatistics
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.selector import Floats
from trapline.theory.incomplete_gamma import gamma_tails, gamma_threshold

_WANTED: Final = 50.0  # n_c: pages above the threshold, all engines together
_LACKING: Final = 0.1  # documents of a word that an engine lacks
_LEAST_VARIANCE: Final = 1e-3


class Taily:
    def score(
        self,
        query: QueryKeys,
        federation: Federation,
    ) -> Floats:
        return tail_pages(federation.look_up(query), federation.pages)


def tail_pages(
    words: WordStatistics,
    pages: Floats,
    wanted: float = _WANTED,
) -> Floats:
    """Pages above the threshold, by engine; summing to about `wanted` where there are so many.

    >>> half = np.full((1, 2), 0.5)
    >>> words = WordStatistics(np.ones(1), np.array([[400.0, 4.0]]), half, half)
    >>> tail_pages(words, np.array([1000.0, 1000.0])).round(2)
    array([49.5,  0.5])
    """
    known = words.documents.sum(axis=1) > 0
    if not known.any():
        return np.zeros(len(pages))
    having = words.documents[known]
    mean, variance = _moments(words, known)
    have_all = _pages_with_all(np.maximum(having, _LACKING), pages)
    together = have_all.sum()
    weight = have_all / max(float(together), 1e-300)
    mean_all = float(weight @ mean)
    variance_all = float(weight @ (variance + mean**2)) - mean_all**2
    share = min(1.0, wanted / max(float(together), wanted * 1e-9))
    shape, scale = _gamma(np.array([mean_all]), np.array([variance_all]))
    threshold = gamma_threshold(float(shape[0]), share) * float(scale[0])
    own_shape, own_scale = _gamma(mean, variance)
    tail: Floats = have_all * gamma_tails(own_shape, threshold / own_scale)
    # the mixture is no Gamma: what the engines have together is set right (equation 12)
    return tail * min(wanted, float(together)) / max(float(tail.sum()), 1e-300)


def _moments(words: WordStatistics, known: Floats) -> tuple[Floats, Floats]:
    """Of the score of a page with all words; a word that an engine lacks adds nothing."""
    mean: Floats = words.mean[known].sum(axis=0)
    variance: Floats = words.variance[known].sum(axis=0)
    return mean, variance


def _pages_with_all(having: Floats, pages: Floats) -> Floats:
    """Expected pages that have all words, if words were independent among those with any."""
    share = np.minimum(having / np.maximum(pages, 1.0), 1.0)
    any_word = np.maximum(pages, 1.0) * (1.0 - np.prod(1.0 - share, axis=0))
    any_word = np.maximum(any_word, 1e-9)
    found: Floats = any_word * np.prod(np.minimum(having / any_word, 1.0), axis=0)
    return found


def _gamma(mean: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Shape and scale of the distribution with that mean and variance."""
    mean = np.maximum(mean, 1e-6)
    variance = np.maximum(variance, _LEAST_VARIANCE)
    return mean**2 / variance, variance / mean
