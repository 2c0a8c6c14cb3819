"""Queries over the collection: hits from the index, as the store has them now."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from trapline.core.errors import FolderUnwritable, StoreCorrupt
from trapline.core.records import Page
from trapline.core.storage import Store
from trapline.search.hits import Found, Fragment, Hit
from trapline.search.index import FullTextIndex
from trapline.search.questions import Answer, Question


class QueryProcessor:
    """Finds hits in the index, and takes what may have changed from the store.

    Rank = text score (BM25, words in the title count twice) × log2(2 + relevance). The second
    factor lies between 1 (off topic) and 1.58 (wholly on topic): enough to decide between texts
    that match about equally well, too little to lift a page that hardly matches the query.

    The index is a little behind the store: hits that are gone by now are left out, and `fetched_s`
    is the store's.
    """

    def __init__(
        self,
        index: FullTextIndex,
        store: Store,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._index = index
        self._store = store
        self._clock = clock

    def ask(self, question: Question) -> Answer:
        """The best hits offset+1 … offset+limit.

        Raises BadQuery, or BadNumber for a window that makes no sense.
        """
        began = self._clock()
        found = self._search(question.text, question.limit, question.offset)
        hits = [hit for hit in map(self._current, found.hits) if hit is not None]
        total = found.total - (len(found.hits) - len(hits))
        return Answer(hits, total, self._clock() - began)

    def suggest(self, beginning: str, limit: int = 8) -> list[str]:
        """How a query that is being typed may go on."""
        return []

    def mark_text(self, page: Page, query: str) -> list[tuple[Fragment, ...]]:
        """The whole text of a page, line by line, with the words of a query marked."""
        return [(Fragment(line, False),) for line in page.text.splitlines()]

    def _search(self, query: str, limit: int, offset: int) -> Found:
        """What a damaged index cannot find, one that is made of the store can."""
        try:
            return self._index.search(query, limit, offset)
        except (StoreCorrupt, FolderUnwritable):
            self._index.reopen(self._store)
            return self._index.search(query, limit, offset)

    def _current(self, hit: Hit) -> Hit | None:
        document = self._store.page(hit.page)
        if document is None:
            return None
        return replace(
            hit, fetched_s=document.fetched_s, copies=len(self._store.copies(hit.page))
        )
