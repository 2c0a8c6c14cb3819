"""What the request controller's calls take and return beside tickets and observations.

Part of it is there so that the same calls can be made again (replay.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import Links, Signals


class Choices(NamedTuple):
    """What one call of `issue` did beside its tickets."""

    made: float = math.inf  # how often it chose
    # pages that robots.txt forbids → until when their host paid for it; None = judge anew
    refused: dict[int, float | None] | None = None
    # the last choice was not worth this much, a visit without a price being worth so much
    declined: tuple[float, float] | None = None


class Settled(NamedTuple):
    """What of a visit counts: with this alone it can be said again."""

    links: Links  # to pages never fetched
    forbidden: tuple[int, ...]  # pages among them that robots.txt forbids
    promised: float = 0.0  # by links that other shards follow


class MoreLinks(NamedTuple):
    """A part of what a page leads to, where that is too much to be settled at once."""

    page: int
    relevance: float
    links: Links
    signals: Signals
    forbidden: tuple[int, ...] | None = None  # None = they are to be judged


class ArrivedLinks(NamedTuple):
    """Links that another shard has found."""

    links: Links  # each target once
    relevance: NDArray[np.float32]  # of the pages on which they were found
    depth: NDArray[np.uint8]  # steps from a seed
    forbidden: tuple[int, ...] | None = None  # None = they are to be judged

    def part(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> ArrivedLinks:
        """Some of them."""
        parts = (self.links[kept], self.relevance[kept], self.depth[kept])
        return ArrivedLinks(*parts, self.forbidden)

    def alike(self) -> Iterator[tuple[float, int, Links]]:
        """(relevance, depth, links) of those found on pages that were alike."""
        keys = np.rec.fromarrays([self.relevance, self.depth])
        found, which = np.unique(keys, return_inverse=True)
        for place, (relevance, depth) in enumerate(found.tolist()):
            yield relevance, depth, self.links[which == place]
