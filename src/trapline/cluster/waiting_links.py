"""Links to hosts that nobody has located yet: if such a host turns out to be another shard's, they
go there as they were found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from trapline.cluster.letters import MailedLinks
from trapline.cluster.link_pile import LinkPile, each_record

MOST: Final = 100_000  # links; locating takes a moment, so there are few


class WaitingLinks:
    """By host and URL; of each the first."""

    def __init__(self) -> None:
        self._links: dict[int, dict[str, tuple[bytes, float, int]]] = {}
        self._count = 0

    def add(self, hosts: Sequence[int], found: MailedLinks) -> None:
        """Links, and the hosts to which they lead."""
        traits = zip(
            each_record(found.links),
            found.relevance.tolist(),
            found.depth.tolist(),
            strict=True,
        )
        for host, url, waiting in zip(hosts, found.urls, traits, strict=True):
            links = self._links.setdefault(host, {})
            if url not in links and self._count < MOST:
                links[url] = waiting
                self._count += 1

    def urls(self, host: int) -> Collection[str]:
        """That wait for a host."""
        return self._links.get(host, {}).keys()

    def take(self, host: int) -> MailedLinks | None:
        """All that waits for a host, which then waits no more; None = nothing."""
        links = self._links.pop(host, None)
        if not links:
            return None
        self._count -= len(links)
        pile = LinkPile()
        for url, waiting in links.items():
            pile.add(url, *waiting)
        return pile.letter()
