"""Query likelihood: how probable the query's words are among the words of an engine.

Si, Jin, Callan, Ogilvie, "A language modeling framework for resource selection and results
merging", CIKM 2002, equation 2: the product over the words of λ·P(word|engine) + (1 − λ)·
P(word|federation), as its logarithm. P is taken of document frequencies.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation, WordStatistics
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.selector import Floats

_OWN: Final = 0.7  # λ: how much the engine's own words count


class QueryLikelihood:
    def score(
        self,
        query: QueryKeys,
        federation: Federation,
    ) -> Floats:
        return log_likelihood(federation.look_up(query), federation.postings)


def log_likelihood(words: WordStatistics, postings: Floats) -> Floats:
    """Words that nobody has are left out.

    >>> none = np.zeros((1, 2))
    >>> words = WordStatistics(np.ones(1), np.array([[90.0, 10.0]]), none, none)
    >>> log_likelihood(words, np.array([1e4, 1e4])).round(2)
    array([-4.85, -6.12])
    """
    known = words.documents[words.documents.sum(axis=1) > 0]
    own = known / np.maximum(postings, 1.0)
    together = known.sum(axis=1) / max(float(postings.sum()), 1.0)
    smooth = _OWN * own + (1.0 - _OWN) * together[:, None]
    found: Floats = np.log(smooth).sum(axis=0)
    return found
