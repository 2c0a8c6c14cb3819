"""What we hold: documents and notes on their way into the store, and a view that already sees them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from trapline.collection.index import FullTextIndex
from trapline.core.links import Links
from trapline.core.ports import Batch, Call, Held, HostRow, Store, UrlRow
from trapline.core.records import Page, Robots, Visit


class NewRows(Protocol):
    """The part of a URL book that a collection needs: which rows are new, and that they are safe now."""

    def pending(self) -> tuple[list[HostRow], list[UrlRow]]: ...

    def committed(self, up_to_page: int) -> None: ...


@dataclass(slots=True)
class _Gathered:
    """A batch in the making; by page, so that only the last word on each page is written."""

    documents: dict[int, Page | None] = field(default_factory=dict)  # None = gone
    seen: dict[int, float] = field(default_factory=dict)
    links: dict[int, Links] = field(default_factory=dict)
    batch: Batch = field(default_factory=Batch)

    def close(self, hosts: list[HostRow], urls: list[UrlRow]) -> Batch:
        self.batch.hosts, self.batch.urls = hosts, urls
        self.batch.pages = [page for page in self.documents.values() if page is not None]
        self.batch.gone = [number for number, page in self.documents.items() if page is None]
        self.batch.seen = list(self.seen.items())
        self.batch.links = list(self.links.items())
        return self.batch


class Collection:
    """Gathers what visits bring and hands it to the store in batches.

    One thread gathers: it calls everything but `flush` and `update_index`, and it calls `seal` where an observation is
    complete, so that a page and what the controller learnt from it are written together. `flush` and `update_index`
    may run in a worker thread meanwhile. A batch that the store refuses stays first in line for the next `flush`.
    """

    def __init__(self, store: Store, book: NewRows, index: FullTextIndex | None = None) -> None:
        self._store = store
        self._book = book
        self._index = index
        self._gathered = _Gathered()
        self._sealed: deque[Batch] = deque()
        self._fresh: dict[int, Page | None] = {}  # the newest word on pages that the store does not have yet
        self._lock = Lock()  # guards _fresh
        self._flushing = Lock()

    def held(self, page: int) -> Held | None:
        """As if everything gathered were committed."""
        with self._lock:
            if page in self._fresh:
                document = self._fresh[page]
                return None if document is None else Held.of(document)
        return self._store.held(page)

    def add(self, page: Page) -> None:
        """A document, new or changed."""
        self._say(page.page, _storable(page))
        self._gathered.seen.pop(page.page, None)

    def seen(self, page: int, fetched_s: float) -> None:
        """What we hold of this page was still current."""
        self._gathered.seen[page] = fetched_s

    def gone(self, page: int) -> None:
        """Nothing is held of this page any more, neither its links."""
        self._say(page, None)
        self._gathered.seen.pop(page, None)
        self._gathered.links.pop(page, None)

    def leads_to(self, page: int, links: Links) -> None:
        """Where a page that was read leads, held or not (a redirect, a page that must not be indexed)."""
        self._gathered.links[page] = links

    def robots(self, host: int, robots: Robots) -> None:
        text = None if robots.text is None else _encodable(robots.text)
        self._gathered.batch.robots.append((host, replace(robots, text=text)))

    def visited(self, visit: Visit) -> None:
        self._gathered.batch.visits.append(replace(visit, remark=_encodable(visit.remark)))

    def called(self, call: Call) -> None:
        self._gathered.batch.calls.append(call)

    def note(self, key: str, value: str) -> None:
        self._gathered.batch.notes[key] = value

    def seal(self) -> bool:
        """Close the batch; `flush` will write it, and what comes now belongs to the next. False: it was empty."""
        gathered, self._gathered = self._gathered, _Gathered()
        batch = gathered.close(*self._book.pending())
        if batch:
            self._sealed.append(batch)
        return bool(batch)

    def flush(self) -> None:
        """Write all sealed batches; if there is none, seal first. Durable when it returns."""
        with self._flushing:
            if not self._sealed:
                self.seal()
            while self._sealed:
                batch = self._sealed[0]
                self._store.commit(batch)
                self._sealed.popleft()
                self._written(batch)

    def update_index(self) -> bool:
        """Make what is committed searchable. True: the index had to be made anew."""
        return self._index is not None and self._index.catch_up(self._store)

    def _say(self, number: int, document: Page | None) -> None:
        self._gathered.documents[number] = document
        with self._lock:
            self._fresh[number] = document

    def _written(self, batch: Batch) -> None:
        spoken: list[tuple[int, Page | None]] = [(page.page, page) for page in batch.pages]
        spoken += [(page, None) for page in batch.gone]
        with self._lock:
            for number, document in spoken:
                if number in self._fresh and self._fresh[number] is document:  # else something newer was said since
                    del self._fresh[number]
        if batch.urls:
            self._book.committed(batch.urls[-1].page)


def _encodable(text: str) -> str:
    """Servers send halves of characters (aiohttp decodes headers so); one such page must not stop every commit.

    >>> _encodable('"v1-\\udcff"')
    '"v1-?"'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _storable(page: Page) -> Page:
    title, text = _encodable(page.title), _encodable(page.text)
    etag, last_modified = _encodable(page.etag), _encodable(page.last_modified)
    return replace(page, title=title, text=text, etag=etag, last_modified=last_modified)
