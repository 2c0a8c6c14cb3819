"""The furniture of hosts, learnt from a sample of their pages when it is needed."""

from __future__ import annotations

from typing import Final, NamedTuple

from tantivy import Query

from trapline.core.storage import Store
from trapline.search.furniture import (
    LEAST,
    NO_FURNITURE,
    SAMPLE,
    Furniture,
    learn_furniture,
)
from trapline.search.ranking.word_queries import View

_MOST_HOSTS: Final = 10_000  # that are remembered
NEWS_UP_TO: Final = 200  # pages of a host: of larger ones, old pages stay as they are


class _Known(NamedTuple):
    pages: int  # of the host, when it was learnt
    furniture: Furniture


class HostFurniture:
    """Learns anew whenever a host has twice as many pages as before."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._news: set[str] = set()

    def of(
        self,
        site: str,
        view: View,
        store: Store,
    ) -> Furniture:
        known = self._known.get(site)
        pages = view.searcher.doc_freq("site", site)
        if known is not None and pages < 2 * known.pages:
            return known.furniture
        found = NO_FURNITURE
        if pages >= LEAST:
            sample = (store.page(page) for page in sample_pages(site, view, SAMPLE))
            found = learn_furniture((p.title, p.text) for p in sample if p is not None)
        self._note(site, pages, found)
        return found

    def learn_first(
        self,
        site: str,
        view: View,
        pages: list[tuple[str, str]],
    ) -> None:
        """From (title, text) of pages that are about to be put in, if it has none there yet."""
        if len(pages) >= LEAST and not view.searcher.doc_freq("site", site):
            sample = pages[:: max(1, len(pages) // SAMPLE)]
            self._note(site, len(pages), learn_furniture(sample))

    def take_news(self) -> list[str]:
        """Hosts with few pages of which something else is known than before; each told once."""
        news = list(self._news)
        self._news.clear()
        return news

    def _note(
        self,
        site: str,
        pages: int,
        found: Furniture,
    ) -> None:
        before = self._known.get(site)
        if before is not None and before.furniture != found and pages <= NEWS_UP_TO:
            self._news.add(site)
        if len(self._known) >= _MOST_HOSTS:
            self._known.clear()
        self._known[site] = _Known(max(pages, LEAST // 2), found)


def sample_pages(site: str, view: View, size: int) -> list[int]:
    """Some pages of a host, from early and late ones."""
    query = Query.term_query(view.schema, "site", site)
    hits = view.searcher.search(query, 10 * size, count=False).hits
    addresses = [address for _, address in hits][:: max(1, len(hits) // size)]
    pages = view.searcher.fast_field_values("page", addresses[:size])
    return [int(page or 0) for page in pages]
