"""What the request controller's calls take and return beside tickets and observations.

Part of it is there so that the same calls can be made again (replay.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from trapline.core.links import Links, Signals


class Choices(NamedTuple):
    """What one call of `issue` did beside its tickets."""

    made: float = math.inf  # how often it chose
    # pages that robots.txt forbids → until when their host paid for it; None = judge anew
    refused: dict[int, float | None] | None = None


class Settled(NamedTuple):
    """What of a visit counts: with this alone it can be said again."""

    links: Links  # to pages never fetched
    forbidden: tuple[int, ...]  # pages among them that robots.txt forbids


class MoreLinks(NamedTuple):
    """A part of what a page leads to, where that is too much to be settled at once."""

    page: int
    relevance: float
    links: Links
    signals: Signals
    forbidden: tuple[int, ...] | None = None  # None = they are to be judged
