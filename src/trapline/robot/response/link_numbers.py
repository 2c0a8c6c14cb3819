"""Links as records for the request controller: numbered pages, and how promising each looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trapline.core.links import Links, Signals
from trapline.core.ports import UrlBook
from trapline.reading.html.links import Anchor
from trapline.reading.listings.entries import Entry, signals_of
from trapline.reading.readings import FoundLinks, find_links
from trapline.topic.link_clues import link_words
from trapline.topic.topic import Topic


class LinkNumbers:
    """A URL that is not `in_scope` gets no number."""

    def __init__(
        self, book: UrlBook, topic: Topic, in_scope: Callable[[str], bool]
    ) -> None:
        self._book = book
        self._topic = topic
        self._in_scope = in_scope

    def number_links(self, own: int, found: FoundLinks) -> Links:
        """Of the links of page `own` to others."""
        numbers = {
            i: self._book.number(url)
            for i, url in enumerate(found.urls)
            if self._in_scope(url)
        }
        others = {i: number for i, number in numbers.items() if number[0] != own}
        return self._topic.links(found.words, others)

    def number_urls(self, own: int, urls: Sequence[str]) -> Links:
        """The same for URLs that came without words."""
        return self.number_links(own, find_links([Anchor(url, "") for url in urls]))

    def number_entries(self, entries: Sequence[Entry]) -> tuple[Links, Signals]:
        """Of a listing: links, and what the listing says of when their pages changed."""
        inside = [entry for entry in entries if self._in_scope(entry.url)]
        numbers = [self._book.number(entry.url) for entry in inside]
        words = link_words(
            [(entry.url, entry.text, entry.around, 0) for entry in inside]
        )
        signals = signals_of(inside, [page for page, _ in numbers])
        return self._topic.links(words, dict(enumerate(numbers))), signals
