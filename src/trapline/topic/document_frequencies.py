"""Document frequencies, learnt as the crawl goes: which words tell pages apart, and which stand
everywhere.

    weight of a word = ln((1 + ε)/(p + ε)),   p = share of the documents that hold it, ε = 1/200

so that a word of every document weighs nothing, and one that is rarer than one in 200 not much more
than another that is: the length of a page's vector, and with it every cosine, stays what it was
when the crawl grows.

Memory is bounded: two rows of 2^16 counts, in each of which a word has one place; the smaller count
is taken. Before anything has been read, a handful of words of every web site are known to be
common, with the weight of ten documents. Weights are taken over when the number of documents has
doubled, and else stay as they are, so that a text which did not change is not judged anew at each
visit.

>>> frequencies = Frequencies()
>>> space = word_hashes("space")
>>> before = frequencies.weight(space[0])
>>> for _ in range(10):
...     _ = frequencies.learn(space)
>>> round(before, 1), round(frequencies.weight(space[0]), 1)
(5.3, 0.7)
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.ports import Arrays
from trapline.theory.kernel import kernel
from trapline.topic.word_hashes import word_hashes
from trapline.topic.word_kernels import Hashes, Weights

BITS: Final = 16
PLACES: Final = 1 << BITS
RARE: Final = 1 / 200  # ε
PRIOR: Final = 10  # documents that the words below are worth
_PRIOR_SHARE: Final = 0.3
_COMMON: Final = (
    "archive author available back based below between bottom case change click close code "
    "contact content copyright "
    "date description detail different document documentation down download email end error "
    "example february file find "
    "first follow form free full function general get give go good group guide help home html "
    "http include index "
    "information input january java key language large last left level library license like "
    "line link list login long "
    "look main make manual many menu message method name need new next note now number object "
    "open option org order "
    "output overview page part people place point policy possible previous print privacy "
    "problem program project "
    "provide question read reference related release report request reserved result return "
    "right run search second "
    "section see select send service set several show simple since site small source standard "
    "start state step string "
    "support system table take term test text thing time title today top topic two type update "
    "use used user using "
    "value version view want way web website welcome well word work world write year"
)


class Frequencies:
    def __init__(self) -> None:
        # taken over at the last doubling
        self.weights: Weights = np.zeros((2, PLACES), np.float32)
        self.documents = PRIOR
        self._counts: NDArray[np.uint32] = np.zeros((2, PLACES), np.uint32)
        _add(self._counts, word_hashes(_COMMON), round(_PRIOR_SHARE * PRIOR))
        self._take_over()

    def learn(self, words: Hashes) -> bool:
        """One more document, by its different words. True: the weights have changed."""
        _add(self._counts, words, 1)
        self.documents += 1
        due = self.documents >= 2 * self._taken
        if due:
            self._take_over()
        return due

    def weight(self, word: int) -> float:
        return float(weight_of(self.weights, word))

    def state(self) -> Arrays:
        return {
            "counts": self._counts,
            "weights": self.weights,
            "documents": np.array([self.documents, self._taken]),
        }

    def restore(self, state: Arrays) -> None:
        self._counts = np.array(state["counts"], np.uint32)
        self.weights = np.array(state["weights"], np.float32)
        self.documents, self._taken = (int(number) for number in state["documents"])

    def _take_over(self) -> None:
        met = np.nonzero(self._counts)  # far from all, and logarithms cost
        share = np.minimum(self._counts[met] / self.documents, 1.0)
        self.weights = np.full((2, PLACES), math.log((1.0 + RARE) / RARE), np.float32)
        self.weights[met] = np.log((1.0 + RARE) / (share + RARE))
        self._taken = self.documents


@kernel
def weight_of(weights: Weights, word: int) -> float:
    """Of the two places of a word, the one that fewer others share."""
    one = weights[0, word & (PLACES - 1)]
    other = weights[1, (word >> 15) & (PLACES - 1)]
    return float(one if one > other else other)


@kernel
def _add(counts: NDArray[np.uint32], words: Hashes, times: int) -> None:
    for word in words:
        counts[0, word & (PLACES - 1)] += times
        counts[1, (word >> 15) & (PLACES - 1)] += times
