"""Sockets of the house: what the rooms ask of each other, as Protocols.

Implementations are handed in by `app`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import Links
from trapline.core.records import (
    Diff,
    Fetched,
    Outcome,
    Page,
    Request,
    Robots,
    Visit,
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


class Found(NamedTuple):
    """What one visit found, as discovery policies see it."""

    page: int  # that was visited; −1 = nobody: these are seeds
    relevance: float  # of that page
    # each target once; only those that were never fetched: new ones, and others of the fringe
    links: Links
    new: NDArray[np.bool_]  # which of them nobody had heard of
    outcome: Outcome = Outcome.OK  # of the visit


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


@dataclass(frozen=True, slots=True)
class HostRow:
    host: int
    name: str  # name:port
    home: str  # scheme://name:port/
    robots: Robots | None = None


@dataclass(frozen=True, slots=True)
class UrlRow:
    page: int
    url: str
    host: int


@dataclass(frozen=True, slots=True)
class Held:
    """The little that the next visit to a held page needs to know."""

    etag: str
    last_modified: str
    fingerprint: int
    changed_s: float
    relevance: float

    @classmethod
    def of(cls, page: Page) -> Held:
        return cls(
            page.etag,
            page.last_modified,
            page.fingerprint,
            page.changed_s,
            page.relevance,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One step of the collection: a document new or changed, or (None) a page gone."""

    revision: int
    page: int
    document: Page | None


@dataclass(frozen=True, slots=True)
class Call:
    """One line of the journal: a call that changed the request controller, numbered
    without holes.
    """

    number: int
    body: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The controller's whole state after the first `calls` calls of the journal."""

    calls: int
    arrays: Arrays


@dataclass(slots=True)
class Batch:
    """What is written together or not at all."""

    hosts: list[HostRow] = field(default_factory=list)  # new ones
    urls: list[UrlRow] = field(default_factory=list)  # new ones
    # (host, its robots.txt)
    robots: list[tuple[int, Robots]] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)  # new or changed documents
    # (page, fetched_s): unchanged documents
    seen: list[tuple[int, float]] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    # (page, where it leads): of pages read anew
    links: list[tuple[int, Links]] = field(default_factory=list)
    diffs: list[Diff] = field(default_factory=list)  # what became of documents
    # (page, the page that it is a copy of now; −1 = none)
    same: list[tuple[int, int]] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    # small facts for `status`, last value wins
    notes: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(getattr(self, part.name) for part in fields(self))


@dataclass(frozen=True, slots=True)
class Counts:
    hosts: int
    known: int  # URLs ever met
    held: int
    visits: int  # page visits, robots.txt not counted
    revision: int  # of the newest Change


class Store(Protocol):
    """Durable memory. Every method is atomic; `commit` is durable when it returns."""

    def commit(self, batch: Batch) -> None: ...

    def counts(self) -> Counts: ...

    def hosts(self) -> list[HostRow]: ...

    def url(self, page: int) -> str: ...

    def urls(self, first: int = 0) -> Iterator[UrlRow]:
        """Known URLs from page number `first` on, in order."""

    def held(self, page: int) -> Held | None: ...

    def page(self, page: int) -> Page | None: ...

    def changes(self, after: int = 0) -> Iterator[Change]:
        """The newest state of every page whose revision is greater than `after`, in order of
        revision.
        """

    def links(self, first: int = 0) -> Iterator[tuple[int, Links]]:
        """Where pages from number `first` on lead, in order; of each as it was last read.

        Gone pages lead nowhere.
        """

    def diffs(self, after: int = 0) -> Iterator[tuple[int, Diff]]:
        """(number, what became of a document) from number `after`+1 on, oldest first; numbers have
        no holes.
        """

    def newest_diff(self) -> int:
        """The number of the newest of them; 0 = there is none."""

    def simhashes(self) -> Iterator[tuple[int, int, int]]:
        """(page, simhash, same_as) of all held pages that have one, in order of page."""

    def copies(self, page: int) -> list[int]:
        """The held pages that say the same as this one, and stand behind it."""

    def visits(self, page: int | None = None, last: int = 100) -> list[Visit]:
        """The newest visits (of one page), newest first."""

    def history(self, after: int = -1) -> Iterator[Visit]:
        """All visits with a number greater than `after`, oldest first."""

    def note(self, key: str) -> str | None: ...

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep it durably, then drop the calls that it covers."""

    def load_checkpoint(self) -> Checkpoint | None: ...

    def calls(self, after: int) -> Iterator[Call]:
        """The journal from call number `after`+1 on."""

    def close(self) -> None: ...


class Index(Protocol):
    """What makes documents searchable: derived data that follows a store."""

    def take_in(self, store: Store) -> bool:
        """Read what the store has and the index has not. True: from the beginning."""

    def catch_up(self, store: Store) -> bool:
        """Make searchable whatever the store has. True: the index was made anew."""
