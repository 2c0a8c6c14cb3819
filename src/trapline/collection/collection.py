"""What we hold: documents and notes on their way into the store.

The view of `held` and `document` shows them already.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from trapline.core.ledger import Posting
from trapline.core.links import Links, LinkTexts
from trapline.core.records import Diff, Page, Robots, Visit
from trapline.core.storage import Batch, Call, Held, HostRow, Index, Store, UrlRow


class NewRows(Protocol):
    """The part of a URL book that a collection needs: which rows are new, and that they are safe
    now.
    """

    def new_rows(self) -> tuple[list[HostRow], list[UrlRow]]: ...

    def note_committed(self, up_to_page: int) -> None: ...


@dataclass(slots=True)
class _Gathered:
    """A batch in the making; by page, so that only the last word on each page is written."""

    versions: int  # earlier texts that are kept of a page
    documents: dict[int, Page | None] = field(default_factory=dict)  # None = gone
    seen: dict[int, float] = field(default_factory=dict)
    links: dict[int, Links] = field(default_factory=dict)
    texts: dict[int, LinkTexts] = field(default_factory=dict)
    same: dict[int, int] = field(default_factory=dict)
    batch: Batch = field(default_factory=Batch)

    def put(self, number: int, document: Page | None) -> None:
        old = self.documents.get(number)
        if old is not None and self.versions and not _same_version(old, document):
            self.batch.past.append(old)
        self.documents[number] = document

    def close(self, hosts: list[HostRow], urls: list[UrlRow]) -> Batch:
        self.batch.hosts = hosts
        self.batch.urls = urls
        self.batch.pages = [
            page for page in self.documents.values() if page is not None
        ]
        self.batch.gone = [
            number for number, page in self.documents.items() if page is None
        ]
        self.batch.versions = self.versions if self.documents else 0
        self.batch.seen = list(self.seen.items())
        self.batch.links = list(self.links.items())
        self.batch.texts = list(self.texts.items())
        self.batch.same = list(self.same.items())
        return self.batch


class Collection:
    """Gathers what visits bring and hands it to the store in batches.

    One thread gathers: it calls everything but `write_sealed` and what is the index's, and it calls
    `seal` where an observation is complete, so that a page and what the controller learnt from it
    are written together. `write_sealed` and one of the index's may run in other threads meanwhile.
    A batch that the store refuses stays first in line for the next time.
    """

    def __init__(
        self,
        store: Store,
        book: NewRows,
        index: Index | None = None,
        *,
        versions: int = 0,
    ) -> None:
        """`versions` earlier texts are kept of each page that changes or goes."""
        self._store = store
        self._book = book
        self._index = index
        self._versions = versions
        self._gathered = _Gathered(versions)
        self._sealed: deque[Batch] = deque()
        # the newest word on pages that the store does not have yet
        self._fresh: dict[int, Page | None] = {}
        self._fresh_robots: dict[int, Robots] = {}  # and on hosts
        # pages from here on have become known since,
        self._first = store.counts().known
        # and the store has had a document of those that are marked here
        self._known_to_store = bytearray()
        # asked for letters to other shards when a batch is sealed; may be set
        self.letters: Callable[[], list[Posting]] = list
        self.held_back = False
        self._late = False  # a seal was wanted while it was held back
        self._lock = Lock()  # guards what is fresh, and _known_to_store
        self._flushing = Lock()

    def held(self, page: int) -> Held | None:
        """As if everything gathered were committed."""
        with self._lock:
            if page in self._fresh:
                document = self._fresh[page]
                return None if document is None else Held.of(document)
            new = page - self._first
            if new >= 0 and not (
                new < len(self._known_to_store) and self._known_to_store[new]
            ):
                return None  # most visits are first visits: the store need not be asked
        return self._store.held(page)

    def document(self, page: int) -> Page | None:
        """The whole of what is held, as if everything gathered were committed."""
        with self._lock:
            if page in self._fresh:
                return self._fresh[page]
        return self._store.page(page)

    def add(self, page: Page) -> None:
        """A document, new or changed."""
        self._note_document(page.page, _storable(page))
        self._gathered.seen.pop(page.page, None)

    def note_current(self, page: int, fetched_s: float) -> None:
        """What we hold of this page was still current."""
        self._gathered.seen[page] = fetched_s

    def note_gone(self, page: int) -> None:
        """Nothing is held of this page any more, neither its links."""
        self._note_document(page, None)
        self._gathered.seen.pop(page, None)
        self._gathered.links.pop(page, None)
        self._gathered.texts.pop(page, None)

    def note_forgotten(self, page: int) -> None:
        """Nothing is held of this page any more, nor of what it said before."""
        if self.held(page) is not None:
            self.note_gone(page)
        self._gathered.batch.forgotten.append(page)

    def note_links(self, page: int, links: Links, texts: LinkTexts = ()) -> None:
        """Where a page that was read leads, held or not (a redirect, a page that must not be
        indexed), and what it calls those pages.
        """
        self._gathered.links[page] = links
        self._gathered.texts[page] = texts

    def note_robots(self, host: int, robots: Robots) -> None:
        text = None if robots.text is None else _encodable(robots.text)
        robots = replace(robots, text=text)
        self._gathered.batch.robots.append((host, robots))
        with self._lock:
            self._fresh_robots[host] = robots

    def robots(self, host: int) -> Robots | None:
        """As if everything gathered were committed."""
        with self._lock:
            if host in self._fresh_robots:
                return self._fresh_robots[host]
        return self._store.robots(host)

    def note_visit(self, visit: Visit) -> None:
        remark = _encodable(visit.remark)
        self._gathered.batch.visits.append(
            visit if remark is visit.remark else replace(visit, remark=remark)
        )

    def note_copy(self, page: int, same_as: int) -> None:
        """A page is a copy of another one from now on (−1 = of none)."""
        self._gathered.same[page] = same_as

    def note_difference(self, diff: Diff) -> None:
        """What became of a document, for those who want to hear of changes."""
        self._gathered.batch.diffs.append(replace(diff, remark=_encodable(diff.remark)))

    def note_call(self, call: Call) -> None:
        self._gathered.batch.calls.append(call)

    def note_read(self, letters: Iterable[int]) -> None:
        """Letters of other shards that the journal has taken in."""
        self._gathered.batch.read.extend(letters)

    def note(self, key: str, value: str) -> None:
        self._gathered.batch.notes[key] = value

    def hold(self, held: bool) -> None:
        """While an observation is noted in parts, nothing is sealed; what somebody wanted to seal
        meanwhile is sealed afterwards.
        """
        self.held_back = held
        if not held and self._late:
            self._late = False
            self.seal()

    def seal(self) -> bool:
        """Close the batch; `flush` will write it, and what comes now belongs to the next.

        False: it was empty, or is not complete.
        """
        if self.held_back:
            self._late = True
            return False
        gathered = self._gathered
        self._gathered = _Gathered(self._versions)
        gathered.batch.postings = self.letters()
        batch = gathered.close(*self._book.new_rows())
        if batch:
            self._sealed.append(batch)
        return bool(batch)

    def flush(self) -> None:
        """Write all sealed batches; if there is none, seal first. Durable when it returns."""
        if not self._sealed:
            self.seal()
        self.write_sealed()

    def write_sealed(self) -> None:
        """The same of batches that are sealed already: another thread may gather meanwhile."""
        with self._flushing:
            while self._sealed:
                batch = self._sealed[0]
                self._store.commit(batch)
                self._sealed.popleft()
                self._note_written(batch)

    def prepare_index(self) -> None:
        """Let the index read what is committed: to make it searchable takes less time then."""
        if self._index is not None:
            self._index.take_in(self._store)

    def update_index(self) -> bool:
        """Make what is committed searchable. True: the index had to be made anew."""
        return self._index is not None and self._index.catch_up(self._store)

    def _note_document(self, number: int, document: Page | None) -> None:
        self._gathered.put(number, document)
        with self._lock:
            self._fresh[number] = document

    def _note_written(self, batch: Batch) -> None:
        documents: list[tuple[int, Page | None]] = [
            (page.page, page) for page in batch.pages
        ]
        documents += [(page, None) for page in batch.gone]
        with self._lock:
            for number, document in documents:
                self._mark_known(number - self._first)
                # else something newer has come since
                if number in self._fresh and self._fresh[number] is document:
                    del self._fresh[number]
            for host, robots in batch.robots:
                if self._fresh_robots.get(host) is robots:
                    del self._fresh_robots[host]
        if batch.urls:
            self._book.note_committed(batch.urls[-1].page)

    def _mark_known(self, new: int) -> None:
        if new >= len(self._known_to_store):
            self._known_to_store.extend(bytes(2 * new + 64))
        if new >= 0:
            self._known_to_store[new] = 1


def _same_version(old: Page, new: Page | None) -> bool:
    """Whether a document was written again without a change that counts."""
    return new is not None and new.changed_s == old.changed_s


def _encodable(text: str) -> str:
    """Servers send halves of characters (aiohttp decodes headers so); one such page must not stop
    every commit.

    >>> _encodable('"v1-\\udcff"')
    '"v1-?"'
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _storable(page: Page) -> Page:
    title = _encodable(page.title)
    text = _encodable(page.text)
    etag = _encodable(page.etag)
    last_modified = _encodable(page.last_modified)
    if (title, text, etag, last_modified) == (
        page.title,
        page.text,
        page.etag,
        page.last_modified,
    ):
        return page
    return replace(page, title=title, text=text, etag=etag, last_modified=last_modified)
