"""What is kept of a crawl: rows, batches and checkpoints; and who keeps it, as Protocols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from typing import NamedTuple, Protocol

from trapline.core.ledger import Posting
from trapline.core.links import Links, LinkTexts
from trapline.core.ports import Arrays
from trapline.core.records import Diff, Page, Robots, Visit


@dataclass(frozen=True, slots=True)
class HostRow:
    host: int
    name: str  # name:port
    home: str  # scheme://name:port/


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
    fields: str = ""
    rules: int = 0

    @classmethod
    def of(cls, page: Page) -> Held:
        return cls(
            page.etag,
            page.last_modified,
            page.fingerprint,
            page.changed_s,
            page.relevance,
            page.fields,
            page.rules,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One step of the collection: a document new or changed, or (None) a page gone."""

    revision: int
    page: int
    document: Page | None


@dataclass(frozen=True, slots=True)
class Version:
    """A text that a page has, or had before: when it was first seen, and what tells it apart."""

    number: int  # of the page, from 1 on; the oldest are dropped
    at_s: float
    title: str
    fingerprint: int


@dataclass(frozen=True, slots=True)
class LinkText:
    """What others call a page: a text of links to it, and how many pages and hosts say so.

    Of each host only a few pages are counted.
    """

    text: str
    pages: int
    hosts: int


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
    # documents that were replaced before they were written, oldest first
    past: list[Page] = field(default_factory=list)
    # of each page that is replaced or gone here, at most so many earlier texts are kept
    versions: int = 0
    # pages whose earlier texts are dropped
    forgotten: list[int] = field(default_factory=list)
    # (page, where it leads): of pages read anew
    links: list[tuple[int, Links]] = field(default_factory=list)
    # (page, what it calls others): of pages read anew; one that is not here says nothing
    texts: list[tuple[int, LinkTexts]] = field(default_factory=list)
    diffs: list[Diff] = field(default_factory=list)  # what became of documents
    # (page, the page that it is a copy of now; −1 = none)
    same: list[tuple[int, int]] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    # letters to other shards, and numbers of letters from them that are read now
    postings: list[Posting] = field(default_factory=list)
    read: list[int] = field(default_factory=list)
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


class ChangedLines(NamedTuple):
    """What a page said otherwise since its last change."""

    at_s: float  # of the change
    lines: str


class HostPages(NamedTuple):
    """Pages of one host."""

    known: int
    held: int


class Store(Protocol):
    """Durable memory. Every method is atomic; `commit` is durable when it returns."""

    def commit(self, batch: Batch) -> None: ...

    def counts(self) -> Counts: ...

    def hosts(self) -> list[HostRow]: ...

    def host(self, host: int) -> HostRow: ...

    def pages_by_host(self) -> dict[int, HostPages]:
        """Host → its pages; hosts without any are left out."""

    def robots(self, host: int) -> Robots | None:
        """What is known of a host's robots.txt; None = nobody has asked for it."""

    def url(self, page: int) -> str: ...

    def number_of(self, url: str) -> int | None:
        """The page of a canonical URL; None = it was never met."""

    def urls(self, first: int = 0) -> Iterator[UrlRow]:
        """Known URLs from page number `first` on, in order."""

    def held(self, page: int) -> Held | None: ...

    def count_relevant(self, least: float) -> int:
        """How many held documents are so relevant, or more."""

    def page(self, page: int) -> Page | None: ...

    def changes(self, after: int = 0) -> Iterator[Change]:
        """The newest state of every page whose revision is greater than `after`, in order of
        revision.

        A page gets a new revision also when others call it by other texts than before, though not
        for every text.
        """

    def links(self, first: int = 0) -> Iterator[tuple[int, Links]]:
        """Where pages from number `first` on lead, in order; of each as it was last read.

        Gone pages lead nowhere.
        """

    def link_texts(self, page: int) -> list[LinkText]:
        """What others call a page, most said first; of texts that are said little, not all."""

    def diffs(self, after: int = 0) -> Iterator[tuple[int, Diff]]:
        """(number, what became of a document) from number `after`+1 on, oldest first; numbers have
        no holes.
        """

    def changed_lines(self, page: int) -> ChangedLines | None:
        """Which lines differed at the last change of a page; None = it is not known."""

    def versions(self, page: int) -> list[Version]:
        """The texts of a page that are kept, oldest first; of a held page, the last is held."""

    def version_text(self, page: int, number: int) -> str | None:
        """The text of one of them; None = it is not kept."""

    def failing(self) -> dict[int, str]:
        """Page → what is wrong with it, of pages that were told to be failing, and not back."""

    def newest_diff(self) -> int:
        """The number of the newest of them; 0 = there is none."""

    def simhashes(self) -> Iterator[tuple[int, int, int]]:
        """(page, simhash, same_as) of all held pages that have one, in order of page."""

    def copies(self, page: int) -> list[int]:
        """The held pages that say the same as this one, and stand behind it."""

    def visits(self, page: int | None = None, last: int = 100) -> list[Visit]:
        """The newest visits (of one page), newest first."""

    def first_visit(self, page: int) -> Visit | None:
        """The first one that read a document there."""

    def history(self, after: int = -1) -> Iterator[Visit]:
        """All visits with a number greater than `after`, oldest first."""

    def note(self, key: str) -> str | None: ...

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep it durably, then drop the calls that it covers."""

    def load_checkpoint(self) -> Checkpoint | None:
        """The last one; None = none was made. CheckpointLost if it cannot be read."""

    def calls(self, after: int) -> Iterator[Call]:
        """The journal from call number `after`+1 on."""

    def close(self) -> None: ...


class SteadyStore(Store, Protocol):
    """A store to read that can hold still while others write."""

    def snapshot(self) -> AbstractContextManager[None]:
        """All is read as of one moment inside: tables, journal, and the checkpoint before it."""

    def one_moment(self) -> AbstractContextManager[None]:
        """The same of the tables alone."""

    def parts(self) -> Sequence[SteadyStore]:
        """The stores of all shards, each with visits, journal and checkpoint of its own; of an
        engine of one process, this one.
        """


class Index(Protocol):
    """What makes documents searchable: derived data that follows a store."""

    def take_in(self, store: Store) -> bool:
        """Read what the store has and the index has not. True: from the beginning."""

    def catch_up(self, store: Store) -> bool:
        """Make searchable whatever the store has. True: the index was made anew."""
