"""The words of a page with their weights: what a sample of a collection is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from trapline.core.records import Page
from trapline.search.query_language import words_of
from trapline.search.tongues import plain_spelling, tongue_of

# BM25 as Tantivy has it
_K1: Final = 1.2
_B: Final = 0.75


class WordWeight(NamedTuple):
    tongue: str
    stem: str
    weight: float  # BM25 without the rarity
    in_title: bool


class PageWords(NamedTuple):
    tongue: str
    counts: Counter[str]
    title: frozenset[str]

    @classmethod
    def of(cls, page: Page) -> PageWords:
        tongue = tongue_of(page.language)
        counts = Counter(tongue.analyzer.analyze(plain_spelling(page.text)))
        title = frozenset(tongue.telling_stems(words_of(page.title)))
        return cls(tongue.code, counts, title)


def weigh_pages(pages: Iterable[Page]) -> Iterator[list[WordWeight]]:
    """For each page its words; those of the title are there even if the text has none of them."""
    found = [PageWords.of(page) for page in pages]
    lengths = [words.counts.total() for words in found]
    mean = max(1.0, sum(lengths) / max(1, len(lengths)))
    for words, length in zip(found, lengths, strict=True):
        norm = _K1 * (1.0 - _B + _B * length / mean)
        yield [
            WordWeight(
                words.tongue,
                stem,
                (_K1 + 1.0) * words.counts[stem] / (words.counts[stem] + norm),
                stem in words.title,
            )
            for stem in (words.counts.keys() | words.title)
        ]
