"""The federation's table: in how many pages of all engines together each word is.

Engines that score with it can be compared: "merging decides more than choosing". Pages that two
engines hold are counted twice, which rarities hardly notice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.terms import Keys, TermTable, places_of, rarity

# nobody has met it: rarer than any word that two pages have
_UNMET = 1.0


@dataclass(frozen=True, slots=True)
class SharedTable:
    version: str  # the same for the same engines at the same versions
    pages: int
    keys: Keys
    documents: NDArray[np.uint64]

    def rarities(self, keys: Sequence[int]) -> list[float]:
        """Of some terms."""
        places = places_of(self.keys, np.array(keys, np.uint64))
        having = [float(self.documents[p]) if p >= 0 else _UNMET for p in places]
        return [rarity(self.pages, documents) for documents in having]


def sum_tables(tables: Mapping[str, tuple[int, TermTable]]) -> SharedTable:
    """The sum over engines; they are told by their keys, with the version of their statistics.

    >>> def table(pages, key, documents):
    ...     one = np.ones(1, np.float32)
    ...     having = np.array([documents], np.uint32)
    ...     return TermTable(pages, np.array([key], np.uint64), having, one, one)
    >>> both = sum_tables({"a": (1, table(100, 7, 3)), "b": (4, table(50, 7, 2))})
    >>> both.pages, both.documents.tolist(), len(both.version)
    (150, [5], 16)
    """
    found = [table for _, table in tables.values()]
    pages = sum(table.pages for table in found)
    if not found:
        return SharedTable(
            "",
            0,
            np.empty(0, np.uint64),
            np.empty(0, np.uint64),
        )
    keys, place = np.unique(
        np.concatenate([table.keys for table in found]), return_inverse=True
    )
    documents = np.zeros(len(keys), np.uint64)
    having = np.concatenate([table.documents for table in found])
    np.add.at(documents, place, having.astype(np.uint64))
    versions = {key: version for key, (version, _) in tables.items()}
    return SharedTable(
        table_version(versions),
        pages,
        keys,
        documents,
    )


def table_version(versions: Mapping[str, int]) -> str:
    """Of a sum: which engines are in it, at which versions of their statistics."""
    said = ",".join(f"{key}:{versions[key]}" for key in sorted(versions))
    return hashlib.sha256(said.encode()).hexdigest()[:16]
