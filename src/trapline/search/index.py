"""The full-text index (Tantivy): derived data, rebuilt from the store if it cannot be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from trapline.core.storage import Store
from trapline.search.hits import Factor
from trapline.search.index_documents import SPELT
from trapline.search.index_writing import IndexWriting
from trapline.search.query_language import Asked
from trapline.search.questions import Facets, Sort
from trapline.search.ranking.facets import count_facets
from trapline.search.ranking.spelling import (
    Offer,
    Spelt,
    best_spelling,
    documents_with,
)
from trapline.search.ranking.suggestions import suggest
from trapline.search.ranking.two_looks import (
    Ranked,
    RankedRows,
    Ranking,
    explain,
    is_by_date,
    rank,
    rank_rows,
)
from trapline.search.ranking.united_copies import fold_united
from trapline.search.ranking.word_queries import View, Wording
from trapline.search.snippets import Marker
from trapline.search.tongues import Tongue


class FullTextIndex(IndexWriting):
    """Search over the documents of a store, as of its revision `revision`.

    On disk in `folder`, or in memory (None). Opening writes nothing and takes no lock; the first
    `update` takes the writer's lock (whoever updates holds the store's lock too) and starts anew if
    no index could be read. With `read_only` the folder is never written: what a robot in another
    process commits is seen by the next search, and if there is no readable index at all, `catch_up`
    makes one in memory, so that searching works even then.

    >>> from trapline.core.records import Page
    >>> from trapline.core.storage import Change
    >>> from trapline.search.query_language import read_query
    >>> index = FullTextIndex(None)
    >>> text = "Our moon orbits the Earth."
    >>> moon = Page(7, "http://a/moon", "The Moon", text, 0.9, 1, "", "", 5.0, 5.0)
    >>> index.update([Change(1, 7, moon)])
    1
    >>> index.commit()
    >>> [ranked.page for ranked in index.rank(read_query("orbiting")).pages]
    [7]
    """

    def rank(
        self,
        asked: Asked,
        sort: Sort = Sort.BEST,
        depth: int = 100,
    ) -> Ranking:
        """The pages that answer, in order."""
        if self._with_texts:
            found = self.rank_rows(asked, sort, depth)
            return fold_united(found, by_date=is_by_date(asked, sort))
        self._refresh()
        with self._naming_damage():
            return rank(
                self.view(),
                asked,
                sort,
                depth,
            )

    def rank_rows(self, asked: Asked, sort: Sort, depth: int) -> RankedRows:
        """The pages that answer, in order, for whoever folds copies that do not know of each
        other: of a part, or of shards.
        """
        self._refresh()
        with self._naming_damage():
            view = self.view()
            return rank_rows(view, asked, sort, depth, with_texts=True)

    def explain(
        self, asked: Asked, ranking: Ranking, shown: Sequence[Ranked]
    ) -> dict[int, tuple[Factor, ...]]:
        """What the scores of pages are made of."""
        with self._naming_damage():
            return explain(
                self.view(),
                asked,
                ranking,
                shown,
            )

    def facets(
        self,
        asked: Asked,
        sort: Sort,
        now_s: float,
    ) -> Facets:
        """Of the documents that `rank` counts."""
        with self._naming_damage():
            return count_facets(
                self.view(),
                asked,
                sort,
                now_s,
            )

    def suggest(self, beginning: str, limit: int) -> list[str]:
        self._refresh()
        with self._naming_damage():
            return suggest(self.view(), beginning, limit)

    def documents_with(self, words: Iterable[str]) -> dict[str, int]:
        """How many documents have each of some words, with any ending."""
        with self._naming_damage():
            view = self.view()
            return {word: documents_with(view, word) for word in words}

    def best_spelling(self, word: str, least: int) -> Offer:
        """A word that is spelt nearly so, and how many documents have it."""
        with self._naming_damage():
            view = self.view()
            better = best_spelling(view, word, least)
            return Offer(better, view.searcher.doc_freq(SPELT, better) if better else 0)

    def spell(self, query: str) -> Spelt:
        """The query as the collection spells it."""
        with self._naming_damage():
            return self._speller.spell(self.view(), query)

    def marker(self, asked: Asked, tongue: Tongue) -> Marker:
        """What finds the words of a query in texts of a tongue."""
        with self._naming_damage():
            rarity = Wording(asked, tongue, self.view()).rarity
            in_rows = (*asked.phrases, *((word,) for word in asked.demanded))
            return Marker(tongue, rarity, in_rows)

    def reopen(self, store: Store) -> None:
        """After damage: what is on disk by now, or an index in memory."""
        self._start_over()
        self._stamp = 0
        self._open_from_disk()
        self.catch_up(store)

    def refresh(self) -> View:
        """The index as it is now, whoever writes it."""
        self._refresh()
        return self.view()

    def _refresh(self) -> None:
        if self._read_only and not self._on_disk:
            self._open_from_disk()
        # a robot may be replacing it just now: what we have open stays readable
        with suppress(ValueError):
            self._index.reload()
