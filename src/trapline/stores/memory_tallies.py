"""Counting link texts in memory."""

from __future__ import annotations

from collections.abc import Sequence

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch, LinkText, UrlRow
from trapline.stores.link_tallies import Tally, is_news
from trapline.stores.text_counting import Refusals, count_texts


class MemoryTallies:
    """`urls` know the hosts of pages; whoever has them goes on writing them."""

    def __init__(self, urls: Sequence[UrlRow]) -> None:
        self._urls = urls
        self._tallies: dict[int, Tally] = {}
        self._counted: dict[int, LinkTexts] = {}
        self._refusals = Refusals()
        self._changes_before: dict[int, int] = {}  # of tallies that a batch touches

    def link_texts(self, page: int) -> list[LinkText]:
        return self._tallies.get(page, Tally()).ranking()

    def count(self, batch: Batch) -> list[int]:
        """Count what a batch says; returns the pages of which the index is to hear."""
        self._changes_before = {}
        count_texts(batch, self, self._refusals)
        return [
            target
            for target, before in self._changes_before.items()
            if is_news(before, self._tallies[target].changes)
        ]

    def host(self, page: int) -> int:
        return self._urls[page].host

    def tally(self, target: int) -> Tally:
        found = self._tallies.setdefault(target, Tally())
        self._changes_before.setdefault(target, found.changes)
        return found

    def contribution(self, page: int) -> LinkTexts:
        return self._counted.get(page, ())

    def write(self, page: int, counted: LinkTexts) -> None:
        self._counted[page] = tuple(counted)
