"""The records that travel along the circle: one kind per arrow, frozen, with units in their names.

RequestController ─Ticket→ fetchers ─Fetched→ ResponseProcessor ─Page→ Collection
        ↑                                            │
        └───────────────Observation──────────────────┘
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from math import nan
from typing import NamedTuple

from trapline.core.links import NO_LINKS, NO_SIGNALS, Links, Signals


class Kind(IntEnum):
    """What a ticket asks for."""

    PAGE = 0
    ROBOTS = 1  # robots.txt of a host: owes the gap, not the budget
    ERRAND = 2  # what the robots.txt of a host is redirected to: the same


class Outcome(IntEnum):
    """What a visit came to, as far as the controller cares."""

    OK = 0  # a document was read
    UNCHANGED = 1  # 304: what we hold is what there is
    GONE = 2  # 404, 410: the page is deleted
    MOVED = 3  # a redirect: the target is a link found
    FAILED = 4  # no usable answer: come back later
    SKIPPED = 5  # an answer that we do not read (type, size): not again for months


class Reception(IntEnum):
    """How a host took a visit: what its pace is learnt from."""

    FINE = 0  # it answered, whatever it said of the page
    TROUBLE = 1  # no answer, or 5xx: it may have too much to do
    REFUSED = 2  # 429, 503: it says that we come too often


class Failure(StrEnum):
    """Why there is no answer, named by the fetcher.

    All but two may pass (FAILED); those two are final (SKIPPED).
    """

    TIMEOUT = "timeout"
    CONNECTION = "connection"  # refused, reset, or closed before the end
    NO_SUCH_NAME = "no such name"
    TLS = "TLS"  # a certificate that cannot be trusted, or no TLS at all
    PROXY = "proxy"  # the proxy cannot be reached, or does not let us through
    PROTOCOL = "protocol"  # what came is not HTTP
    HEADERS_TOO_LARGE = "headers too large"
    # a body packed in a way that we cannot read, or not packed as it says
    BAD_ENCODING = "bad encoding"
    # the right to visit hosts of a shard has ended: nothing was sent
    NO_LEASE = "no lease"
    TOO_LARGE = "too large"  # final
    FORBIDDEN_ADDRESS = "forbidden address"  # final


@dataclass(frozen=True, slots=True)
class Ticket:
    """Permission for one visit.

    `price` is what the controller thought it worth (∞ for interval rules).
    """

    number: int
    kind: Kind
    page: int  # −1 for robots.txt
    host: int
    issued_s: float
    price: float


@dataclass(frozen=True, slots=True)
class Request:
    """A ticket made concrete for a fetcher: the URL and what we already hold of it."""

    ticket: Ticket
    url: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetcher brought. Either `failure` is set, or `status` and the rest are."""

    ticket: Ticket
    url: str
    ended_s: float
    status: int = 0
    failure: Failure | None = None
    body: bytes = b""
    content_type: str = ""
    location: str = ""
    etag: str = ""
    last_modified: str = ""
    retry_after_s: float = 0.0
    robots_tag: str = ""  # all X-Robots-Tag headers, one a line
    date_s: float = nan  # the time by the server's clock; nan = it does not say
    # all of them, as sent; only where the fetcher keeps them (WARC)
    headers: tuple[tuple[str, str], ...] = ()
    received: int = (
        0  # bytes that came over the wire: headers, and the body as it was packed
    )


@dataclass(frozen=True, slots=True)
class Robots:
    """What a host's robots.txt says.

    `text` None = everything is disallowed (it could not be had: fail closed).
    """

    text: str | None
    until_s: float
    # compiled, see politeness/rules.py; nothing = it has none for us, None = not compiled yet
    rules: bytes | None = None


@dataclass(frozen=True, slots=True)
class HostRules:
    """What a host's robots.txt means for the schedule."""

    until_s: float
    open: bool = True  # else it could not be had, and nobody goes there
    ruled: bool = False  # each page is judged before it is visited
    delay_s: float | None = None  # Crawl-delay


class Judgement(NamedTuple):
    """Whether rules allow a page, and what it cost to find out."""

    allowed: bool
    cost_s: float  # of processor, about
    # to have the rules at hand, once; counted whether they were or not, so that costs are the same
    # after a restart
    load_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Observation:
    """What one visit taught: the arrow back to the request controller."""

    ticket: Ticket
    outcome: Outcome
    changed: bool = False
    relevance: float = 0.0
    links: Links = field(default_factory=lambda: NO_LINKS, compare=False)
    retry_after_s: float = 0.0
    # as it was read; in a journal, what it meant
    robots: Robots | HostRules | None = None
    # items read there that were new since the visit before, in relevance; links not counted
    news: float = 0.0
    reception: Reception = Reception.FINE
    # what it says of other pages
    signals: Signals = field(default_factory=lambda: NO_SIGNALS, compare=False)
    # pages that it found and that robots.txt forbids; None = they are to be judged
    forbidden: tuple[int, ...] | None = None
    remark: str = ""  # for people: no journal has it
    # links that other shards follow: they have no numbers here
    elsewhere: Links = field(default_factory=lambda: NO_LINKS, compare=False)
    # what the best of those promises; None = the policy is to say
    promised: float | None = None
    received: int = 0  # bytes that came over the wire


@dataclass(frozen=True, slots=True)
class Page:
    """A document as the collection holds it."""

    page: int
    url: str
    title: str
    text: str
    relevance: float
    # 64 bits of the extracted text and links, signed as SQLite wants it
    fingerprint: int
    etag: str
    last_modified: str
    fetched_s: float  # last time this content was seen to be current
    changed_s: float  # first time this content was seen
    language: str = ""  # two letters, where it is known
    # 64 bits that differ little where texts differ little, signed; 0 = too short to tell
    simhash: int = 0
    same_as: int = -1  # the page of which this one is a copy or nearly one; −1 = none
    # what Markdown needs beside the text, see reading/markdown; nothing = paragraphs
    form: bytes = b""
    fields: str = ""  # a JSON object of what was picked out of it; nothing = none was
    rules: int = 0  # a mark of the rules by which it was read; 0 = none

    @property
    def readable(self) -> bool:
        """Whether there is anything to read; of sitemaps and feeds only marks are held."""
        return bool(self.title or self.text)

    @property
    def searchable(self) -> bool:
        """A search shows one page of those that say the same."""
        return self.readable and self.same_as < 0


class Turn(StrEnum):
    """What happened to a document; or, of a watched page, to its visits."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    FAILING = "failing"  # it cannot be had: the remark says why
    BACK = "back"  # it can be had again


@dataclass(frozen=True, slots=True)
class Diff:
    """The lasting note of one change: what happened to a page, when it was seen, how much."""

    page: int
    at_s: float
    turn: Turn
    added: int = 0  # words
    removed: int = 0
    # that went (-) and came (+); of each page, a store keeps those of its last change
    lines: str = field(default="", compare=False)
    remark: str = (
        ""  # what is wrong with a page that is failing, or was; why one is gone
    )


@dataclass(frozen=True, slots=True)
class Visit:
    """The lasting note of one visit, for people: what was asked, when, what came of it."""

    number: int
    page: int
    host: int
    kind: Kind
    issued_s: float
    ended_s: float
    price: float
    outcome: Outcome
    status: int
    changed: bool
    relevance: float
    remark: str = ""


class QueueTally(NamedTuple):
    """What happened at the response queue since the tally before: all that a fetcher policy learns
    from.
    """

    elapsed_s: float
    arrivals: int  # answers that fetchers brought
    departures: int  # answers processed
    fetching_s: float  # fetcher-seconds at work
    # with an answer to process; the rest of the time the processor starved
    busy_s: float
    # arrivals that found the queue full: lost in the paper's world, held by their fetchers in ours
    blocked: int
    queue: int = 0  # answers waiting or being processed, now
    awake: int = 0  # fetchers that may work, now
    # sums over the answers processed, of the square and the cube of the time each took
    busy_squares: float = 0.0
    busy_cubes: float = 0.0
