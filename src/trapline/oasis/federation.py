"""What many engines say of themselves, turned round: by term, so that a query meets them all.

In: the term statistics and samples of engines. Out: for the words of a query the statistics of
every engine, and how well the sampled pages answer. Never changed once made; when engines come, go
or describe themselves anew a broker makes another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.key_order import join_arrays, turn_round
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sample import Sample
from trapline.oasis.sampled_pages import SampledPages, SampleIndex
from trapline.oasis.shared_table import SharedTable, sum_tables
from trapline.oasis.terms import Keys, TermTable, places_of

Floats = NDArray[np.float64]
_UNKNOWN: Final = 1e-12  # documents of a word that nobody has, to divide by


@dataclass(frozen=True, slots=True)
class Member:
    """An engine as a federation knows it."""

    key: str  # its public key, or whatever tells it from others
    terms: TermTable
    sample: Sample
    version: int = 0  # of its statistics

    @property
    def pages(self) -> int:
        return self.terms.pages


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """Of the words of a query, a row a word, a column an engine."""

    rarity: Floats  # of each word, by the shared table
    documents: Floats  # that have the word
    mean: Floats  # of the word's score (rarity × weight) in the pages that have it
    variance: Floats  # of that


@dataclass(frozen=True, slots=True)
class Federation:
    """
    >>> one = np.ones(2, np.float32)
    >>> having = np.array([3, 40], np.uint32)
    >>> table = TermTable(50, np.array([7, 9], np.uint64), having, one, one)
    >>> both = Federation.of([Member("a", table, Sample.empty()),
    ...                       Member("b", TermTable.empty(), Sample.empty())])
    >>> both.look_up(QueryKeys(((7,), (8,)))).documents.tolist()
    [[3.0, 0.0], [0.0, 0.0]]
    """

    engines: tuple[str, ...]
    pages: Floats  # of each engine
    postings: Floats  # of each engine: documents summed over its terms
    shared: SharedTable
    samples: SampleIndex
    # by term: entries starts[t] … starts[t+1]−1 are of keys[t]
    keys: Keys
    starts: NDArray[np.int64]
    engine: NDArray[np.uint16]
    documents: NDArray[np.uint32]
    mean: NDArray[np.float16]
    variance: NDArray[np.float16]

    @classmethod
    def of(
        cls, members: Sequence[Member], shared: SharedTable | None = None
    ) -> Federation:
        """With the shared table of a directory, or with the sum over the members."""
        tables = [member.terms for member in members]
        if shared is None:
            shared = sum_tables({m.key: (m.version, m.terms) for m in members})
        keys, starts, order = turn_round([table.keys for table in tables])
        owner = np.repeat(
            np.arange(len(tables), dtype=np.uint16), [len(table) for table in tables]
        )
        return cls(
            tuple(member.key for member in members),
            np.array([table.pages for table in tables], np.float64),
            np.array([table.documents.sum() for table in tables], np.float64),
            shared,
            SampleIndex.of([member.sample for member in members]),
            keys,
            starts,
            owner[order],
            join_arrays([table.documents for table in tables], np.uint32)[order],
            join_arrays([table.mean for table in tables], np.float16)[order],
            join_arrays([table.variance for table in tables], np.float16)[order],
        )

    def __len__(self) -> int:
        return len(self.engines)

    def look_up(self, query: QueryKeys) -> WordStatistics:
        shape = len(query.words), len(self)
        found = WordStatistics(
            np.zeros(shape[0]), np.zeros(shape), np.zeros(shape), np.zeros(shape)
        )
        for word, forms in enumerate(query.words):
            self._add_forms(found, word, forms)
        # sums over documents so far
        having = np.maximum(found.documents, _UNKNOWN)
        np.divide(found.mean, having, out=found.mean)
        np.divide(found.variance, having, out=found.variance)
        return found

    def rarities(self, query: QueryKeys) -> list[list[float]]:
        """Of each form of each word."""
        return [self.shared.rarities(forms) for forms in query.words]

    def try_on_samples(self, query: QueryKeys, rarity: Floats) -> SampledPages:
        """How the sampled pages answer; `rarity` of each word as `look_up` has it."""
        return self.samples.ask(query, rarity)

    def _add_forms(
        self, found: WordStatistics, word: int, forms: tuple[int, ...]
    ) -> None:
        """A page has one tongue: documents of a word's forms add up."""
        rarities = self.shared.rarities(forms)
        places = places_of(self.keys, np.array(forms, np.uint64))
        total = 0.0
        for place, rarity in zip(places, rarities, strict=True):
            if place < 0:
                continue
            entries = slice(self.starts[place], self.starts[place + 1])
            engines = self.engine[entries]
            documents = self.documents[entries].astype(np.float64)
            found.documents[word, engines] += documents
            found.mean[word, engines] += documents * self.mean[entries] * rarity
            found.variance[word, engines] += (
                documents * self.variance[entries] * rarity**2
            )
            found.rarity[word] += documents.sum() * rarity
            total += float(documents.sum())
        found.rarity[word] = found.rarity[word] / total if total else max(rarities)
