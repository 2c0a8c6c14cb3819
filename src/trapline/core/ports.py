"""Sockets of the house: what the rooms ask of each other, as Protocols.

Implementations are handed in by `app`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import Links
from trapline.core.records import (
    Fetched,
    Outcome,
    Request,
)

Arrays = Mapping[str, NDArray[np.generic]]
Pages = NDArray[np.int64]


class Seen(NamedTuple):
    """What one visit to a page showed, as refresh policies see it."""

    outcome: int
    changed: bool
    relevance: float
    news: float  # what it listed that nobody knew, in relevance
    age_s: float  # since the visit before; ∞ = this was the first
    now_s: float
    market_price: (
        float  # the one price at which the budget is just used up; 0 = unknown
    )


class Explanation(NamedTuple):
    """What a policy thinks of a page: numbers by name, and the same for people."""

    values: dict[str, float]
    lines: list[tuple[str, str]]  # (what, how much), in the order to read them


NOTHING_TO_SAY = Explanation({}, [])


@dataclass(frozen=True, slots=True)
class LearntRate:
    """What visits have taught of a rate, a second, and the band that holds it nine times in ten."""

    name: str  # changes; or news, in relevance
    mean: float
    low: float
    high: float


SEEDS: Final = -1  # in place of a page: somebody has named these links
MAILED: Final = -2  # the same: another shard has found them


class Found(NamedTuple):
    """What one visit found, as discovery policies see it."""

    page: int  # that was visited; or SEEDS, or MAILED
    relevance: float  # of that page
    # each target once; only those that were never fetched: new ones, and others of the fringe
    links: Links
    new: NDArray[np.bool_]  # which of them nobody had heard of
    outcome: Outcome = Outcome.OK  # of the visit
    # the best of what the policy expects of links that other shards follow; 0 = there are none
    elsewhere: float = 0.0


class Scores(NamedTuple):
    """What fringe pages promise, one value each."""

    pages: Pages
    # expected relevance of a visit and what it opens; ∞ = visit, not comparable by price
    scores: NDArray[np.float64]
    # not after now; where scores are equal (or ∞) the earlier one goes first
    since_s: NDArray[np.float64]


class Learner(Protocol):
    """Who learns beside the controller, and is saved with it."""

    def state(self) -> Arrays: ...

    def restore(self, state: Arrays) -> None: ...


class UrlBook(Protocol):
    """Numbers for URLs and hosts. Page and host numbers are dense and start at 0."""

    def __len__(self) -> int:
        """How many pages have a number."""

    def number(self, url: str) -> tuple[int, int]:
        """(page, host) of a canonical URL; unknown ones get the next number."""

    def url(self, page: int) -> str: ...

    def host_name(self, host: int) -> str:
        """name:port"""

    def home(self, host: int) -> str:
        """scheme://name:port/, the URL under which the host was first met."""


class Fetcher(Protocol):
    """One request, one answer; never raises for anything a server does."""

    async def fetch(self, request: Request) -> Fetched: ...

    async def locate(self, host_name: str) -> str | None:
        """The address that requests to name:port go to; None = unknown or forbidden."""
