"""One index over all pages: which have a word, how much it weighs there, and how a page scores.

A score is made as the second look of the search makes it: weight of the words (BM25 with the
rarities that are given), share of the query, likeness of title and query; and prominence stands for
what others call a page. Lengths are measured against the mean of the whole web, so a page weighs
the same in every engine that holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.federation.bags_of_words import WORDS, Bags
from trapline.oasis.terms import term_key
from trapline.search.ranking.second_look import WEIGHTS

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TONGUE: Final = "en"
_K1: Final = 1.2
_B: Final = 0.75


def spell(word: int) -> str:
    """
    >>> spell(17)
    'w17'
    """
    return f"w{word}"


@cache
def word_keys() -> NDArray[np.uint64]:
    """Of all words, as descriptions have them; not to be written to."""
    spelt = [term_key(TONGUE, spell(word)) for word in range(WORDS)]
    keys = np.array(spelt, np.uint64)
    keys.flags.writeable = False
    return keys


@dataclass(frozen=True, slots=True)
class FoundPages:
    """Pages that have any of the words."""

    page: Integers
    score: Floats


@dataclass(frozen=True, slots=True)
class WordIndex:
    bags: Bags
    weight: Floats  # of each entry of the bags: BM25 without the rarity
    starts: Integers  # of each page: its entries are starts[p] … starts[p+1]−1
    by_word: Integers  # entries in the order of the words
    word_starts: Integers
    title_words: Integers  # of each page
    prominence: Floats  # of each page

    @classmethod
    def of(
        cls,
        bags: Bags,
        prominence: Floats,
    ) -> WordIndex:
        pages = len(prominence)
        length = np.bincount(
            bags.page,
            bags.count,
            pages,
        )
        norm = _K1 * (1.0 - _B + _B * length / length.mean())
        weight = (_K1 + 1.0) * bags.count / (bags.count + norm[bags.page])
        by_word = np.argsort(bags.word, kind="stable")
        return cls(
            bags,
            weight,
            np.searchsorted(bags.page, np.arange(pages + 1)),
            by_word,
            np.searchsorted(bags.word[by_word], np.arange(WORDS + 1)),
            np.bincount(
                bags.page,
                bags.in_title,
                pages,
            ).astype(np.int64),
            prominence,
        )

    def entries_of(self, word: int) -> Integers:
        return self.by_word[self.word_starts[word] : self.word_starts[word + 1]]

    def pages_with(self, word: int) -> Integers:
        return self.bags.page[self.entries_of(word)]

    def entries_of_pages(self, pages: Integers) -> Integers:
        """In the order of the pages."""
        sizes = self.starts[pages + 1] - self.starts[pages]
        ends = np.cumsum(sizes)
        within = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
        entries: Integers = np.repeat(self.starts[pages], sizes) + within
        return entries

    def find(
        self,
        words: Sequence[int],
        rarities: Sequence[float],
    ) -> FoundPages:
        shares = np.array(rarities) / max(sum(rarities), 1e-12)
        parts = [self.entries_of(word) for word in words]
        entries = np.concatenate(parts) if parts else np.empty(0, np.int64)
        share = np.repeat(shares, [len(part) for part in parts])
        page, place = np.unique(self.bags.page[entries], return_inverse=True)
        in_title = self.bags.in_title[entries]
        text = np.bincount(
            place,
            share * self.weight[entries],
            len(page),
        )
        cover = np.bincount(
            place,
            share,
            len(page),
        )
        titled = np.bincount(
            place,
            share * in_title,
            len(page),
        )
        having = (
            np.bincount(
                place,
                in_title,
                len(page),
            )
            / self.title_words[page]
        )
        score = (
            WEIGHTS.text * text
            + WEIGHTS.spelling * cover
            + WEIGHTS.title * titled * having
            + WEIGHTS.names * self.prominence[page]
        )
        return FoundPages(page, score)


def first_pages(
    found: FoundPages,
    held: Flags,
    most: int = 10,
) -> Integers:
    """The best of those that are held (`held` has a flag for every page), best first."""
    among = np.flatnonzero(held[found.page])
    order = np.argsort(-found.score[among], kind="stable")[:most]
    return found.page[among[order]]
