"""CORI: an engine is ranked as if it were one large document.

Callan, Lu, Croft, "Searching distributed collections with inference networks", SIGIR 1995,
equations 1 to 3: T = df / (df + 50 + 150·cw/mean cw), I = log((C + .5)/cf) / log(C + 1), belief in
a word b + (1 − b)·T·I with b = .4, and the mean over the words. `cw`, the words of an engine, is
the sum of its document frequencies here: descriptions do not tell how often a word is in a page.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation, WordStatistics
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.selector import Floats

_B: Final = 0.4


class Cori:
    def score(
        self,
        query: QueryKeys,
        federation: Federation,
    ) -> Floats:
        return cori_belief(federation.look_up(query), federation.postings)


def cori_belief(words: WordStatistics, postings: Floats) -> Floats:
    """
    >>> none = np.zeros((1, 2))
    >>> words = WordStatistics(np.ones(1), np.array([[100.0, 0.0]]), none, none)
    >>> cori_belief(words, np.array([1e4, 1e4])).round(3)
    array([0.567, 0.4  ])
    """
    engines = len(postings)
    if not len(words.rarity) or not engines:
        return np.full(engines, _B)
    documents = words.documents
    size = postings / max(float(postings.mean()), 1.0)
    frequency = documents / (documents + 50.0 + 150.0 * size)
    having = np.maximum((documents > 0).sum(axis=1), 0.5)
    rarity = np.log((engines + 0.5) / having) / np.log(engines + 1.0)
    belief: Floats = (_B + (1.0 - _B) * frequency * rarity[:, None]).mean(axis=0)
    return belief
