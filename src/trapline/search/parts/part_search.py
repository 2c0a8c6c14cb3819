"""What the index of a part says to whoever asks all parts and makes one answer of theirs.

First how often the parts have each word, so that all of them score by one rarity; then the rows
of a ranking, copies unfolded; last the hits that are shown. The one who asks keeps the order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from trapline.search.hits import Hit
from trapline.search.index import FullTextIndex
from trapline.search.index_documents import TEXT
from trapline.search.query_language import Asked
from trapline.search.query_processor import QueryProcessor, understand
from trapline.search.questions import Facets, Question
from trapline.search.ranking.spelling import Offer, typed_words
from trapline.search.ranking.two_looks import Ranked, RankedRow, Ranking
from trapline.search.ranking.word_queries import Wording
from trapline.search.tongues import tongue_of

MOST_ROWS: Final = 20_000  # of a ranking; the collector allocates room for all


class Frequency(NamedTuple):
    tongue: str
    stem: str
    documents: int  # of the part that have it in their texts


@dataclass(frozen=True, slots=True)
class PartWords:
    """The words of a query in the index of a part."""

    documents: int  # of the part
    frequencies: list[Frequency]
    known: dict[str, int]  # word as typed → documents that have it, with any ending


@dataclass(frozen=True, slots=True)
class PartRanking:
    total: int
    rows: list[RankedRow]
    facets: Facets | None


class ShownRow(NamedTuple):
    """A row whose hit is wanted."""

    page: int
    score: float
    is_twice: bool


class PartSearch:
    def __init__(
        self,
        index: FullTextIndex,
        processor: QueryProcessor,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._index = index
        self._processor = processor
        self._now = now

    def words(self, question: Question) -> PartWords:
        """BadQuery if it cannot be read."""
        asked = understand(question)
        return self._processor.mend(lambda: self._words(question, asked))

    def spellings(self, words: Iterable[str], least: int) -> dict[str, Offer]:
        """Better ways to spell words, each of them in `least` documents of the part."""
        offer = self._index.best_spelling
        found = self._processor.mend(lambda: {w: offer(w, least) for w in words})
        return {word: one for word, one in found.items() if one.word}

    def rank(self, question: Question, depth: int) -> PartRanking:
        asked = understand(question)
        most = min(depth, MOST_ROWS)
        return self._processor.mend(lambda: self._rank(question, asked, most))

    def show(self, question: Question, rows: Sequence[ShownRow]) -> list[Hit]:
        asked = understand(question)
        shown = [Ranked(row.page, row.score) for row in rows]
        once = frozenset(row.page for row in rows if not row.is_twice)
        ranking = Ranking(
            len(rows),
            shown,
            complete=True,
            looked_at_once=once,
        )
        show = self._processor.show
        return self._processor.mend(lambda: show(question, asked, ranking, shown))

    def _words(self, question: Question, asked: Asked) -> PartWords:
        view = self._index.refresh()
        tongues = view.tongues()
        if asked.languages:
            tongues = list(dict.fromkeys(map(tongue_of, asked.languages)))
        found = [
            Frequency(
                tongue.code,
                stem,
                view.searcher.doc_freq(tongue.field(TEXT), stem),
            )
            for tongue in tongues
            for stem in Wording(asked, tongue, view).stems
        ]
        typed = set() if question.as_typed else typed_words(question.text)
        return PartWords(
            view.searcher.num_docs,
            [one for one in found if one.documents],
            self._index.documents_with(typed),
        )

    def _rank(self, question: Question, asked: Asked, depth: int) -> PartRanking:
        found = self._index.rank_rows(asked, question.sort, depth)
        facets: Facets | None = None
        if question.facets:
            facets = self._index.facets(asked, question.sort, self._now())
        return PartRanking(found.total, found.rows, facets)
