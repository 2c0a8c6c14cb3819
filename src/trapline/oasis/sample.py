"""A sample of an engine's pages, as hashed words: enough to try a query on, too little to copy."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.terms import Keys, term_key

MOST_PAGES: Final = 1000
MOST_TERMS: Final = 120  # of a page, its weightiest

WordRow = tuple[str, str, float, bool]


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages one after another: page p has the entries starts[p] … starts[p+1]−1."""

    starts: NDArray[np.uint32]  # one more than pages
    keys: Keys  # within a page in order
    weights: NDArray[np.float32]  # BM25 without the rarity, 0 to 2.2
    in_title: NDArray[np.bool_]  # whether the title has the word, too

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of_pages(cls, pages: Iterable[Iterable[WordRow]]) -> Sample:
        """From the words of pages: tongue, stem, weight, whether the title has it.

        Of long pages the weightiest words are kept, those of the title first.
        """
        starts = [0]
        words: list[tuple[int, float, bool]] = []
        for page in pages:
            found = {
                term_key(tongue, stem): (w, title) for tongue, stem, w, title in page
            }
            best = heapq.nlargest(MOST_TERMS, found, key=lambda key: found[key][::-1])
            words += [(key, *found[key]) for key in sorted(best)]
            starts.append(len(words))
        return cls(
            np.array(starts, np.uint32),
            np.array([key for key, _, _ in words], np.uint64),
            np.array([weight for _, weight, _ in words], np.float32),
            np.array([title for _, _, title in words], np.bool_),
        )

    @classmethod
    def empty(cls) -> Sample:
        return cls(
            np.zeros(1, np.uint32),
            np.empty(0, np.uint64),
            np.empty(0, np.float32),
            np.empty(0, np.bool_),
        )
