"""Links on their way to other shards: gathered until a batch is sealed, sent once each.

Pages link to the same ones again and again, so what was sent lately is remembered, by hash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from xxhash import xxh3_64_intdigest

from trapline.cluster.letters import MailedLinks, pack_letter
from trapline.cluster.link_pile import LinkPile, each_record
from trapline.core.ledger import Posting
from trapline.core.links import Links

LATELY: Final = 200_000  # links that are remembered: 20 MB
IN_A_LETTER: Final = 1_000  # links


class Outgoing:
    """`home(url)` is the shard of a page."""

    def __init__(self, home: Callable[[str], int]) -> None:
        self._home = home
        self._waiting: dict[int, LinkPile] = {}  # by shard
        self._lately: set[int] = set()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(
        self, urls: Sequence[str], links: Links, relevance: float, depth: int
    ) -> None:
        """Links found on one page."""
        for url, record in zip(urls, each_record(links), strict=True):
            if self._is_new(url):
                self._pile_of(url).add(url, record, relevance, depth)

    def pass_on(self, letter: MailedLinks) -> None:
        """Links of a letter that came to the wrong shard."""
        found = zip(letter.relevance.tolist(), letter.depth.tolist(), strict=True)
        records = each_record(letter.links)
        for url, record, traits in zip(letter.urls, records, found, strict=True):
            self._pile_of(url).add(url, record, *traits)

    def take(self) -> list[Posting]:
        """Letters with all that waits; each is handed out once."""
        waiting = self._waiting
        self._waiting = {}
        return [
            Posting(shard, pack_letter(sent.part(slice(at, at + IN_A_LETTER))))
            for shard, pile in waiting.items()
            for sent in [pile.letter()]
            for at in range(0, len(sent.urls), IN_A_LETTER)
        ]

    def _pile_of(self, url: str) -> LinkPile:
        home = self._home(url)
        pile = self._waiting.get(home)
        if pile is None:
            pile = self._waiting[home] = LinkPile()
        return pile

    def _is_new(self, url: str) -> bool:
        mark = xxh3_64_intdigest(url.encode())
        if mark in self._lately:
            return False
        if len(self._lately) >= LATELY:
            self._lately.clear()
        self._lately.add(mark)
        return True
