"""Links to hosts that nobody has located yet: if such a host turns out to be another shard's, they
go there as they were found.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from trapline.cluster.letters import MailedLinks
from trapline.core.links import Links

MOST: Final = 100_000  # links; locating takes a moment, so there are few


class _Waiting(NamedTuple):
    link: Links  # one record
    relevance: float
    depth: int


class WaitingLinks:
    """By host and URL; of each the first."""

    def __init__(self) -> None:
        self._links: dict[int, dict[str, _Waiting]] = {}
        self._count = 0

    def add(
        self, host: int, url: str, link: Links, relevance: float, depth: int
    ) -> None:
        links = self._links.setdefault(host, {})
        if url not in links and self._count < MOST:
            links[url] = _Waiting(link.copy(), relevance, depth)
            self._count += 1

    def take(self, host: int) -> MailedLinks | None:
        """All that waits for a host, which then waits no more; None = nothing."""
        links = self._links.pop(host, None)
        if not links:
            return None
        self._count -= len(links)
        return MailedLinks(
            tuple(links),
            np.concatenate([one.link for one in links.values()]),
            np.array([one.relevance for one in links.values()], np.float32),
            np.array([one.depth for one in links.values()], np.uint8),
        )
