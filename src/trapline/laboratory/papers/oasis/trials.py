"""Queries put to one index and to every engine: by them selection and merging are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.oasis.federated_collection import FederatedCollection
from trapline.laboratory.papers.oasis.federated_queries import AskedFor, keys_of
from trapline.laboratory.study.report import Progress
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.shared_table import SharedTable
from trapline.oasis.terms import term_key
from trapline.search.index import FullTextIndex
from trapline.search.query_language import Asked, read_query
from trapline.search.ranking.two_looks import Ranked
from trapline.search.statistics.query_words import query_words
from trapline.search.statistics.rarities import Rarities, Rarity

TEN: Final = 10

Lists = list[list[Ranked]]  # of each engine its first ten


@dataclass(frozen=True, slots=True)
class Trial:
    """What one query found."""

    asked: AskedFor
    keys: QueryKeys
    central: list[Ranked]  # the first ten of the central index
    held: NDArray[np.bool_]  # a row a page of the central ten, a column an engine
    own: Lists  # by each engine's own rarities
    shared: Lists  # by the shared ones

    def came_back(self, engines: Sequence[int]) -> float:
        """The share of the central ten that some engines hold."""
        return float(self.held[:, list(engines)].any(axis=1).mean())

    def shares(self) -> NDArray[np.float64]:
        """Of each engine; a page that two hold counts half for each."""
        parts = self.held / np.maximum(self.held.sum(axis=1, keepdims=True), 1)
        found: NDArray[np.float64] = parts.mean(axis=0)
        return found


def try_queries(
    collection: FederatedCollection,
    queries: Sequence[AskedFor],
    shared: SharedTable,
    progress: Progress,
) -> list[Trial]:
    """Of the queries that the central index answers."""
    places = {called.page.page: n for n, called in enumerate(collection.pages)}
    trials = []
    for number, asked in enumerate(queries):
        trial = _try(
            collection,
            asked,
            shared,
            places,
        )
        if trial is not None:
            trials.append(trial)
        if number % 100 == 0:
            progress(number / len(queries), f"query {number} of {len(queries)}")
    return trials


def rarities_of(text: str, tongues: Sequence[str], shared: SharedTable) -> Rarities:
    """As a broker tells them with the query."""
    stems = [stem for word in query_words(text, tongues) for stem in word.stems]
    numbers = shared.rarities([term_key(*stem) for stem in stems])
    return tuple(Rarity(*stem, n) for stem, n in zip(stems, numbers, strict=True))


def ask_engines(
    collection: FederatedCollection, text: str, rarities: Rarities
) -> Lists:
    asked = replace(read_query(text), rarities=rarities)
    return [_first_ten(engine, asked) for engine in collection.engines]


def _try(
    collection: FederatedCollection,
    asked: AskedFor,
    shared: SharedTable,
    places: dict[int, int],
) -> Trial | None:
    central = _first_ten(collection.central, read_query(asked.text))
    if not central:
        return None
    held = np.zeros((len(central), len(collection.engines)), np.bool_)
    for row, ranked in enumerate(central):
        held[row, list(collection.holders[places[ranked.page]])] = True
    told = rarities_of(asked.text, collection.tongues, shared)
    return Trial(
        asked,
        keys_of(asked.text, collection.tongues),
        central,
        held,
        ask_engines(collection, asked.text, ()),
        ask_engines(collection, asked.text, told),
    )


def _first_ten(index: FullTextIndex, asked: Asked) -> list[Ranked]:
    return index.rank(asked, depth=TEN).pages[:TEN]
