"""The sum of engines' statistics, one after another, in which no engine drowns the others.

An engine can claim any number of pages, and any words. So none counts for more than five times the
pages of the middle one (or 20,000, if that is more): its own proportions stay, its weight does not
grow. And none counts that claims more different words a page than there are in a long book: whoever
claims every word in every fourth page would make all words equally common.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.shared_table import SharedTable
from trapline.oasis.terms import Keys, TermTable

MOST_TERMS: Final = 4_000_000  # of the sum, those in most pages
MOST_WORDS: Final = 4_000.0  # different ones, of the mean page
_TIMES_THE_MIDDLE: Final = 5
_ALWAYS_COUNTED: Final = 20_000  # pages
_AT_ONCE: Final = 4_000_000  # terms that are added together


def most_counted(pages: Iterable[int]) -> int:
    """How many pages of an engine count, given those of all.

    >>> most_counted([1000, 2000, 10**11]), most_counted([10**6, 10**6])
    (20000, 5000000)
    """
    ordered = sorted(pages)
    middle = ordered[(len(ordered) - 1) // 2] if ordered else 0
    return max(_ALWAYS_COUNTED, _TIMES_THE_MIDDLE * middle)


def words_a_page(table: TermTable) -> float:
    """How many different ones the mean page has, as far as they are told."""
    return float(table.documents.sum(dtype=np.uint64)) / max(1, table.pages)


class FairSum:
    """Tables are added one by one, so that those of ten thousand engines need not fit into memory.

    >>> having = np.array([30], np.uint32)
    >>> one = np.ones(1, np.float32)
    >>> table = TermTable(100, np.array([7], np.uint64), having, one, one)
    >>> both = FairSum(most_pages=50)
    >>> both.add(table)
    >>> both.add(table)
    >>> found = both.finish("v1")
    >>> found.pages, found.documents.tolist()
    (100, [30])
    """

    def __init__(self, most_pages: int) -> None:
        self._most_pages = most_pages
        self._pages = 0
        self._keys: list[Keys] = []
        self._documents: list[NDArray[np.uint64]] = []
        self._waiting = 0  # terms that were not added yet

    def add(self, table: TermTable) -> None:
        if words_a_page(table) > MOST_WORDS:
            return
        counted = min(table.pages, self._most_pages)
        self._pages += counted
        self._keys.append(table.keys)
        self._documents.append(_scale(table, counted))
        self._waiting += len(table)
        if self._waiting > _AT_ONCE:
            self._merge()

    def finish(self, version: str) -> SharedTable:
        self._merge()
        keys = self._keys[0]
        documents = self._documents[0]
        if len(keys) > MOST_TERMS:
            kept = np.sort(np.argsort(documents, kind="stable")[-MOST_TERMS:])
            keys = keys[kept]
            documents = documents[kept]
        return SharedTable(
            version,
            self._pages,
            keys,
            documents,
        )

    def _merge(self) -> None:
        keys = np.concatenate([np.empty(0, np.uint64), *self._keys])
        documents = np.concatenate([np.empty(0, np.uint64), *self._documents])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        firsts = np.flatnonzero(np.diff(keys, prepend=np.uint64(0)) > 0)
        if len(keys) and keys[0] == 0:
            firsts = np.concatenate(([0], firsts))
        if len(keys):
            documents = np.add.reduceat(documents[order], firsts)
        self._keys = [keys[firsts]]
        self._documents = [documents]
        self._waiting = 0


def _scale(table: TermTable, counted: int) -> NDArray[np.uint64]:
    documents = table.documents.astype(np.uint64)
    if counted == table.pages:
        return documents
    scaled = np.rint(documents.astype(np.float64) * (counted / table.pages))
    return np.maximum(scaled, 1.0).astype(np.uint64)
