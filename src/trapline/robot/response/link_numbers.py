"""Links as records for the request controller: numbered pages, and how promising each looks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import NO_SIGNALS, SIGNAL, Links, LinkTexts, Signals
from trapline.core.ports import UrlBook
from trapline.reading.html.links import Anchor
from trapline.reading.readings import FoundLinks, find_links
from trapline.robot.response.elsewhere import NOBODY, Elsewhere, join_elsewhere
from trapline.robot.response.results import PART
from trapline.topic.link_clues import join_records
from trapline.topic.topic import Topic

NOT_SAID: Final = np.empty(0)


class Numbered(NamedTuple):
    links: Links
    signals: Signals  # what a listing says of when their pages changed
    texts: LinkTexts  # what their pages are called
    elsewhere: Elsewhere = NOBODY  # those that are for others to follow


class LinkNumbers:
    """A URL that is not `in_scope` gets no number, nor one that is `elsewhere`: another shard's."""

    def __init__(
        self,
        book: UrlBook,
        topic: Topic,
        in_scope: Callable[[str], bool],
        elsewhere: Callable[[str], bool] | None = None,
    ) -> None:
        self._book = book
        self._topic = topic
        self._in_scope = in_scope
        self._elsewhere = elsewhere

    def number_listed(
        self, own: int, found: FoundLinks, modified_s: NDArray[np.float64]
    ) -> Numbered:
        """Of the links of page `own` to others, and what is said of when those pages changed."""
        inside = [i for i, url in enumerate(found.urls) if self._in_scope(url)]
        sent = self._among_others(inside, found)
        numbers = {i: self._book.number(found.urls[i]) for i in inside if i not in sent}
        others = {i: number for i, number in numbers.items() if number[0] != own}
        dated = [
            (page, modified_s[i])
            for i, (page, _) in (others.items() if len(modified_s) else ())
            if modified_s[i] >= 0.0
        ]
        signals = np.array(dated, SIGNAL) if dated else NO_SIGNALS
        texts = [
            (others[i][0], text)
            for i, texts in enumerate(found.texts)
            if texts and i in others
            for text in texts.split("\t")
        ]
        links = self._topic.links(found.words, others)
        elsewhere = self._appraise(sent, found) if sent else NOBODY
        return Numbered(links, signals, texts, elsewhere)

    def _among_others(self, inside: list[int], found: FoundLinks) -> set[int]:
        if self._elsewhere is None:
            return set()
        return {i for i in inside if self._elsewhere(found.urls[i])}

    def _appraise(self, sent: set[int], found: FoundLinks) -> Elsewhere:
        """What links to other shards' pages show; they have no numbers here."""
        places = sorted(sent)
        clues = self._topic.links(found.words, dict.fromkeys(places, (-1, -1)))
        return Elsewhere(tuple(found.urls[i] for i in places), clues)

    def number_in_parts(
        self, own: int, found: FoundLinks, modified_s: NDArray[np.float64]
    ) -> Generator[None, None, Numbered]:
        """The same in steps, of many links."""
        parts: list[Numbered] = []
        for at in range(0, len(found.urls), PART):
            some = found.part(at, at + PART)
            parts.append(self.number_listed(own, some, modified_s[at : at + PART]))
            yield
        return Numbered(
            join_records([part.links for part in parts]),
            np.concatenate([part.signals for part in parts]),
            [said for part in parts for said in part.texts],
            join_elsewhere([part.elsewhere for part in parts]),
        )

    def number_urls(self, own: int, urls: Sequence[str]) -> Numbered:
        """The same for URLs that came without words."""
        found = find_links([Anchor(url, "") for url in urls])
        return self.number_listed(own, found, NOT_SAID)
