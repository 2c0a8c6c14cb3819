"""The sampled pages of many engines, turned round: by term, so that a query can be tried on them.

A sampled page is scored as an engine would score it, as far as hashed words tell: weight of the
words, share of the query that it has, likeness of its title.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.key_order import join_arrays, turn_round
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sample import Sample
from trapline.oasis.terms import Keys, places_of

Floats = NDArray[np.float64]
# as the second look of the search weighs (search/ranking/second_look.py): what its other factors
# need, neighbours and spelling, a sample does not tell
_TEXT: Final = 2.86
_COVER: Final = 6.4
_TITLE: Final = 7.0


@dataclass(frozen=True, slots=True)
class SampledPages:
    """The sampled pages that have any of the words, in the order of their engines."""

    engine: NDArray[np.intp]
    score: Floats  # about 0 to 19
    cover: Floats  # share of the query, by rarity, that the page has
    likeness: Floats  # of title and query, 0 to 1

    def __len__(self) -> int:
        return len(self.engine)


@dataclass(frozen=True, slots=True)
class SampleIndex:
    """Entries starts[t] … starts[t+1]−1 are of keys[t]."""

    sizes: NDArray[np.int64]  # sampled pages of each engine
    engine: NDArray[np.uint16]  # of each page
    title_words: NDArray[np.uint8]  # of each page, 1 at least
    keys: Keys
    starts: NDArray[np.int64]
    page: NDArray[np.uint32]
    weight: NDArray[np.float16]
    in_title: NDArray[np.bool_]

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> SampleIndex:
        sizes = np.array([len(sample) for sample in samples], np.int64)
        lengths = join_arrays([np.diff(one.starts) for one in samples], np.int64)
        page = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        in_title = join_arrays([one.in_title for one in samples], np.bool_)
        titles = np.bincount(page, in_title, len(lengths))
        keys, starts, order = turn_round([one.keys for one in samples])
        return cls(
            sizes,
            np.repeat(np.arange(len(samples), dtype=np.uint16), sizes),
            np.clip(titles, 1, 255).astype(np.uint8),
            keys,
            starts,
            page[order],
            join_arrays([one.weights for one in samples], np.float16)[order],
            in_title[order],
        )

    def ask(self, query: QueryKeys, rarity: Floats) -> SampledPages:
        """`rarity` of each word of the query."""
        rows = [self._rows(forms) for forms in query.words]
        total = float(rarity.sum()) or 1.0
        sizes = [sum(row.stop - row.start for row in some) for some in rows]
        shares = np.repeat(rarity / total, sizes)
        flat = [row for some in rows for row in some]
        page = join_arrays([self.page[row] for row in flat], np.uint32)
        weight = join_arrays([self.weight[row] for row in flat], np.float32)
        in_title = join_arrays([self.in_title[row] for row in flat], np.bool_)
        pages, place = self._number(page)
        cover = _sum_by(place, shares, len(pages))
        text = _sum_by(place, shares * weight, len(pages))
        likeness = self._likeness(
            pages,
            place,
            shares,
            in_title,
        )
        score = _TEXT * text + _COVER * cover + _TITLE * likeness
        return SampledPages(
            self.engine[pages].astype(np.intp),
            score,
            cover,
            likeness,
        )

    def _number(
        self, page: NDArray[np.uint32]
    ) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """The pages that are there, each once, and for each entry the place of its page.

        As numpy.unique has it, but without sorting: half of the time of a choice was that.
        """
        there = np.zeros(len(self.engine), np.bool_)
        there[page] = True
        pages = np.flatnonzero(there)
        place = np.empty(len(self.engine), np.int32)
        place[pages] = np.arange(len(pages), dtype=np.int32)
        return pages, place[page]

    def _likeness(
        self,
        pages: NDArray[np.intp],
        place: NDArray[np.int32],
        shares: Floats,
        in_title: NDArray[np.bool_],
    ) -> Floats:
        """The share of the query in the title, times the share of the title in the query."""
        asked = _sum_by(place[in_title], shares[in_title], len(pages))
        words = np.bincount(place[in_title], minlength=len(pages))
        likeness: Floats = asked * np.minimum(1.0, words / self.title_words[pages])
        return likeness

    def _rows(self, forms: tuple[int, ...]) -> list[slice]:
        """Where the entries of a word's forms are."""
        places = places_of(self.keys, np.array(forms, np.uint64))
        return [slice(self.starts[p], self.starts[p + 1]) for p in places if p >= 0]


def _sum_by(place: NDArray[np.int32], numbers: NDArray[Any], count: int) -> Floats:
    return np.bincount(place, numbers, count).astype(np.float64)
