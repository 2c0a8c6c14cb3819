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
from trapline.robot.response.elsewhere import NOBODY, Elsewhere
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
        theirs: dict[str, int] = {}
        return _part_from(self._number(own, found, modified_s, theirs), theirs)

    def number_in_parts(
        self, own: int, found: FoundLinks, modified_s: NDArray[np.float64]
    ) -> Generator[None, None, Numbered]:
        """The same in steps, of many links."""
        parts: list[Numbered] = []
        theirs: dict[str, int] = {}
        for at in range(0, len(found.urls), PART):
            some = found.part(at, at + PART)
            parts.append(self._number(own, some, modified_s[at : at + PART], theirs))
            yield
        together = Numbered(
            join_records([part.links for part in parts]),
            np.concatenate([part.signals for part in parts]),
            [said for part in parts for said in part.texts],
        )
        return _part_from(together, theirs)

    def number_urls(self, own: int, urls: Sequence[str]) -> Numbered:
        """The same for URLs that came without words."""
        found = find_links([Anchor(url, "") for url in urls])
        return self.number_listed(own, found, NOT_SAID)

    def _number(
        self,
        own: int,
        found: FoundLinks,
        modified_s: NDArray[np.float64],
        theirs: dict[str, int],
    ) -> Numbered:
        """`theirs` are the URLs of other shards, with numbers below 0 for the time being."""
        inside = [(i, url) for i, url in enumerate(found.urls) if self._in_scope(url)]
        numbers = {i: self._number_one(url, theirs) for i, url in inside}
        others = {i: number for i, number in numbers.items() if number[0] != own}
        dated = [
            (page, modified_s[i])
            for i, (page, _) in (others.items() if len(modified_s) else ())
            if modified_s[i] >= 0.0 and page >= 0
        ]
        signals = np.array(dated, SIGNAL) if dated else NO_SIGNALS
        texts = [
            (others[i][0], text)
            for i, texts in enumerate(found.texts)
            if texts and i in others and others[i][0] >= 0
            for text in texts.split("\t")
        ]
        return Numbered(self._topic.links(found.words, others), signals, texts)

    def _number_one(self, url: str, theirs: dict[str, int]) -> tuple[int, int]:
        if self._elsewhere is None or not self._elsewhere(url):
            return self._book.number(url)
        return theirs.setdefault(url, -2 - len(theirs)), -1


def _part_from(numbered: Numbered, theirs: dict[str, int]) -> Numbered:
    """Links to pages here, and those to other shards'."""
    if not theirs:
        return numbered
    ours = numbered.links["page"] >= 0
    sent = numbered.links[~ours]
    urls = list(theirs)
    named = tuple(urls[-2 - page] for page in sent["page"].tolist())
    sent["page"] = -1
    elsewhere = Elsewhere(named, sent)
    return numbered._replace(links=numbered.links[ours], elsewhere=elsewhere)
