"""A sample of an engine's pages, as hashed words: enough to try a query on, too little to copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.terms import Keys

MOST_PAGES: Final = 1000
MOST_TERMS: Final = 120  # of a page, its weightiest


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
    def empty(cls) -> Sample:
        return cls(
            np.zeros(1, np.uint32),
            np.empty(0, np.uint64),
            np.empty(0, np.float32),
            np.empty(0, np.bool_),
        )
