"""Term statistics of an engine: how many of its pages have a word, and how much it weighs there.

Words are told as keys, 40 bits of a hash of tongue and stem: two given words share a key with a
probability of one in 10¹², and rare words (names, keys) are not spelt out to strangers.

>>> term_key("en", "orbit") == term_key("en", "orbit") != term_key("de", "orbit")
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import xxhash
from numpy.typing import NDArray

KEY_BITS: Final = 40
_MASK: Final = (1 << KEY_BITS) - 1

Keys = NDArray[np.uint64]
StemRow = tuple[str, str, int, float, float]


def term_key(tongue: str, stem: str) -> int:
    return xxhash.xxh3_64_intdigest(f"{tongue}:{stem}".encode()) & _MASK


@dataclass(frozen=True, slots=True)
class TermTable:
    """Statistics by term, in order of the keys.

    `mean` and `variance` are of a term's weight in the texts that have it: BM25 without the rarity,
    0 to 2.2.
    """

    pages: int  # that the statistics are of
    keys: Keys
    documents: NDArray[np.uint32]  # that have the term
    mean: NDArray[np.float32]
    variance: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        pages: int,
        keys: Keys,
        documents: NDArray[np.uint32],
        mean: NDArray[np.float32],
        variance: NDArray[np.float32],
    ) -> TermTable:
        """From terms in any order; of keys that are there twice one is left."""
        _, first = np.unique(keys, return_index=True)
        parts = keys[first], documents[first], mean[first], variance[first]
        return cls(pages, *parts)

    @classmethod
    def of_rows(cls, pages: int, rows: Iterable[StemRow]) -> TermTable:
        """From stems as an index tells them: tongue, stem, documents, mean, variance."""
        found = list(rows)
        keys = [term_key(tongue, stem) for tongue, stem, *_ in found]
        numbers = np.array([row[2:] for row in found], np.float64).reshape(-1, 3)
        return cls.of(
            pages,
            np.array(keys, np.uint64),
            numbers[:, 0].astype(np.uint32),
            numbers[:, 1].astype(np.float32),
            numbers[:, 2].astype(np.float32),
        )

    @classmethod
    def empty(cls) -> TermTable:
        none = np.empty(0, np.float32)
        return cls(
            0,
            np.empty(0, np.uint64),
            np.empty(0, np.uint32),
            none,
            none,
        )

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, places: NDArray[np.intp]) -> TermTable:
        """The terms at some places, which must be in order."""
        return TermTable(
            self.pages,
            self.keys[places],
            self.documents[places],
            self.mean[places],
            self.variance[places],
        )


def places_of(keys: Keys, wanted: Keys) -> NDArray[np.intp]:
    """Where in sorted `keys` each of the wanted stands; −1 = nowhere.

    >>> places_of(np.array([3, 7, 9], np.uint64), np.array([9, 4], np.uint64))
    array([ 2, -1])
    """
    if not len(keys):
        return np.full(len(wanted), -1, np.intp)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)


def rarity(pages: float, documents: float) -> float:
    """Inverse document frequency, as BM25 has it.

    >>> round(rarity(1000, 10), 3)
    4.557
    """
    return float(
        np.log1p((max(pages, documents) - documents + 0.5) / (documents + 0.5))
    )
