"""Links on their way to other shards: gathered until a batch is sealed, sent once each.

Pages link to the same ones again and again, so what was sent lately is remembered, by hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np
from xxhash import xxh3_64_intdigest

from trapline.cluster.letters import MailedLinks, pack_letter
from trapline.core.ledger import Posting
from trapline.core.links import LINK, Links

LATELY: Final = 200_000  # links that are remembered: 20 MB
IN_A_LETTER: Final = 1_000  # links


class _Sent(NamedTuple):
    url: str
    link: Links  # one record
    relevance: float
    depth: int


class Outgoing:
    """`home(url)` is the shard of a page."""

    def __init__(self, home: Callable[[str], int]) -> None:
        self._home = home
        self._waiting: dict[int, list[_Sent]] = {}  # by shard
        self._lately: set[int] = set()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(
        self, urls: Iterable[str], links: Links, relevance: float, depth: int
    ) -> None:
        """Links found on one page."""
        for place, url in enumerate(urls):
            if self._is_new(url):
                sent = _Sent(url, links[place : place + 1], relevance, depth)
                self._waiting.setdefault(self._home(url), []).append(sent)

    def pass_on(self, letter: MailedLinks) -> None:
        """Links of a letter that came to the wrong shard."""
        for place, url in enumerate(letter.urls):
            link = letter.links[place : place + 1]
            relevance = float(letter.relevance[place])
            sent = _Sent(url, link, relevance, int(letter.depth[place]))
            self._waiting.setdefault(self._home(url), []).append(sent)

    def take(self) -> list[Posting]:
        """Letters with all that waits; each is handed out once."""
        waiting = self._waiting
        self._waiting = {}
        return [
            Posting(shard, pack_letter(_letter(links[at : at + IN_A_LETTER])))
            for shard, links in waiting.items()
            for at in range(0, len(links), IN_A_LETTER)
        ]

    def _is_new(self, url: str) -> bool:
        mark = xxh3_64_intdigest(url.encode())
        if mark in self._lately:
            return False
        if len(self._lately) >= LATELY:
            self._lately.clear()
        self._lately.add(mark)
        return True


def _letter(sent: list[_Sent]) -> MailedLinks:
    links = np.concatenate([one.link for one in sent]) if sent else np.zeros(0, LINK)
    return MailedLinks(
        tuple(one.url for one in sent),
        links,
        np.array([one.relevance for one in sent], np.float32),
        np.array([one.depth for one in sent], np.uint8),
    )
