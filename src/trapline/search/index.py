"""The full-text index (Tantivy): derived data, rebuilt from the store if it cannot be trusted."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import tantivy

from trapline.core.storage import Store
from trapline.search.hits import Found, check_window, snippets_of
from trapline.search.index_documents import hit_of
from trapline.search.index_writing import IndexWriting
from trapline.search.query_language import read_query


class FullTextIndex(IndexWriting):
    """Search over the documents of a store, as of its revision `revision`.

    On disk in `folder`, or in memory (None). Opening writes nothing and takes no lock; the first
    `update` takes the writer's lock (whoever updates holds the store's lock too) and starts anew if
    no index could be read. With `read_only` the folder is never written: what a robot in another
    process commits is seen by the next search, and if there is no readable index at all, `catch_up`
    makes one in memory, so that searching works even then.

    >>> from trapline.core.records import Page
    >>> from trapline.core.storage import Change
    >>> index = FullTextIndex(None)
    >>> text = "Our moon orbits the Earth."
    >>> moon = Page(7, "http://a/moon", "The Moon", text, 0.9, 1, "", "", 5.0, 5.0)
    >>> index.update([Change(1, 7, moon)])
    1
    >>> index.commit()
    >>> [hit.url for hit in index.search("orbiting").hits]
    ['http://a/moon']
    """

    def search(self, query: str, limit: int = 10, offset: int = 0) -> Found:
        """The best hits by text score × log2(2 + relevance): full relevance counts 1.58 times.

        All words must be there; if no document has them all, any of them will do. BadQuery if the
        query is absurdly long.
        """
        check_window(limit, offset)
        self._refresh()
        all_words = read_query(self._index, query, all_words=True)
        found = self._find(all_words, limit, offset)
        if found.total:
            return found
        any_word = read_query(self._index, query, all_words=False)
        return self._find(any_word, limit, offset)

    def reopen(self, store: Store) -> None:
        """After damage: what is on disk by now, or an index in memory."""
        self._start_over()
        self._stamp = 0
        self._open_from_disk()
        self.catch_up(store)

    def _find(self, query: tantivy.Query, limit: int, offset: int) -> Found:
        with self._naming_damage():
            searcher = self._index.searcher()
            result: Any = searcher.search(
                query, limit, offset=offset, weight_by_field="relevance"
            )
            if not result.hits:
                return Found(result.count, [])
            generator = snippets_of(searcher, query, self._schema)
            hits = [
                hit_of(searcher.doc(address), score, generator)
                for score, address in result.hits
            ]
            return Found(result.count, hits)

    def _refresh(self) -> None:
        if self._read_only and not self._on_disk:
            self._open_from_disk()
        # a robot may be replacing it just now: what we have open stays readable
        with suppress(ValueError):
            self._index.reload()
