"""A store in memory: for tests, dry runs, and crawls that need not be kept."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from threading import Lock

from trapline.core.errors import UnknownPage
from trapline.core.links import Links
from trapline.core.records import Diff, Kind, Outcome, Page, Robots, Turn, Visit
from trapline.core.storage import (
    Batch,
    Call,
    Change,
    ChangedLines,
    Checkpoint,
    Counts,
    Held,
    HostPages,
    HostRow,
    LinkText,
    UrlRow,
    Version,
)
from trapline.stores.batch_check import check_new, check_numbering
from trapline.stores.memory_tallies import MemoryTallies
from trapline.stores.past_texts import (
    PastText,
    add_past,
    find_text,
    list_versions,
    past_text_of,
    texts_replaced,
)


class MemoryStore:
    """Makes the same promises as the durable stores, except durability.

    >>> store = MemoryStore()
    >>> home = HostRow(0, "a:80", "http://a/")
    >>> store.commit(Batch(hosts=[home], urls=[UrlRow(0, "http://a/", 0)]))
    >>> store.url(0), store.counts().known
    ('http://a/', 1)
    """

    def __init__(self) -> None:
        self._lock = Lock()  # one thread may commit while another reads
        self._hosts: list[HostRow] = []
        self._robots: dict[int, Robots] = {}
        self._urls: list[UrlRow] = []
        self._changes: dict[int, Change] = {}  # by page, in order of revision
        self._links: dict[int, Links] = {}
        self._tallies = MemoryTallies(self._urls)
        self._diffs: list[Diff] = []
        self._lines: dict[int, ChangedLines] = {}
        self._past: dict[int, list[PastText]] = {}
        self._visits: dict[int, Visit] = {}
        self._notes: dict[str, str] = {}
        self._calls: dict[int, Call] = {}
        self._checkpoint: Checkpoint | None = None
        self._revision = 0

    def commit(self, batch: Batch) -> None:
        with self._lock:
            # all refusals come first: from here on nothing can fail halfway
            self._check(batch)
            self._hosts += batch.hosts
            self._urls += batch.urls
            self._robots.update(batch.robots)
            self._keep_past(batch)
            for document in batch.pages:
                self._change(document.page, document)
            for page, fetched_s in batch.seen:
                self._see(page, fetched_s)
            for page in batch.gone:
                self._change(page, None)
                self._links.pop(page, None)
            for page, same_as in batch.same:
                self._regroup(page, same_as)
            self._links.update((page, links.copy()) for page, links in batch.links)
            self._count_texts(batch)
            self._diffs += batch.diffs
            self._keep_lines(batch)
            self._visits.update((visit.number, visit) for visit in batch.visits)
            self._calls.update((call.number, call) for call in batch.calls)
            self._notes.update(batch.notes)

    def _check(self, batch: Batch) -> None:
        check_numbering(batch, len(self._hosts), len(self._urls))
        for host, _ in batch.robots:
            if not 0 <= host < len(self._hosts) + len(batch.hosts):
                raise ValueError(f"robots.txt of an unknown host: {host}")
        check_new([visit.number for visit in batch.visits], self._visits)
        check_new([call.number for call in batch.calls], self._calls)

    def _keep_past(self, batch: Batch) -> None:
        def held(page: int) -> PastText | None:
            document = self._document(page)
            return None if document is None else past_text_of(document)

        for page, replaced in texts_replaced(batch, held):
            before = self._past.get(page, [])
            self._past[page] = add_past(before, replaced, batch.versions)
        if not batch.versions:
            for document in batch.pages:
                self._past.pop(document.page, None)
        for page in batch.forgotten:
            self._past.pop(page, None)
            self._lines.pop(page, None)

    def _keep_lines(self, batch: Batch) -> None:
        """Of each page, which lines differed at its last change."""
        for diff in batch.diffs:
            if diff.turn in (Turn.CHANGED, Turn.GONE):
                self._lines[diff.page] = ChangedLines(diff.at_s, diff.lines)

    def _change(self, page: int, document: Page | None) -> None:
        self._revision += 1
        # a page stands at the place of its newest revision only
        self._changes.pop(page, None)
        self._changes[page] = Change(self._revision, page, document)

    def _see(self, page: int, fetched_s: float) -> None:
        change = self._changes.get(page)
        if change is not None and change.document is not None:
            seen = replace(change.document, fetched_s=fetched_s)
            self._changes[page] = replace(change, document=seen)

    def _regroup(self, page: int, same_as: int) -> None:
        document = self._document(page)
        if document is not None:
            self._change(page, replace(document, same_as=same_as))
        else:
            self._revision += 1

    def _count_texts(self, batch: Batch) -> None:
        written = {document.page for document in batch.pages}
        for page in self._tallies.count(batch):
            document = self._document(page)
            if document is not None and page not in written:
                self._change(page, document)

    def _document(self, page: int) -> Page | None:
        change = self._changes.get(page)
        return None if change is None else change.document

    def _documents(self) -> list[Page]:
        with self._lock:
            documents = [change.document for change in self._changes.values()]
        return [document for document in documents if document is not None]

    def counts(self) -> Counts:
        with self._lock:
            held = sum(change.document is not None for change in self._changes.values())
            visits = sum(visit.kind is Kind.PAGE for visit in self._visits.values())
            return Counts(
                len(self._hosts), len(self._urls), held, visits, self._revision
            )

    def hosts(self) -> list[HostRow]:
        with self._lock:
            return list(self._hosts)

    def host(self, host: int) -> HostRow:
        with self._lock:
            if not 0 <= host < len(self._hosts):
                raise UnknownPage(host, len(self._hosts))
            return self._hosts[host]

    def count_relevant(self, least: float) -> int:
        return sum(document.relevance >= least for document in self._documents())

    def pages_by_host(self) -> dict[int, HostPages]:
        with self._lock:
            known = Counter(row.host for row in self._urls)
            held = Counter(
                self._urls[change.page].host
                for change in self._changes.values()
                if change.document is not None
            )
        return {host: HostPages(count, held[host]) for host, count in known.items()}

    def robots(self, host: int) -> Robots | None:
        with self._lock:
            return self._robots.get(host)

    def url(self, page: int) -> str:
        with self._lock:
            if not 0 <= page < len(self._urls):
                raise UnknownPage(page, len(self._urls))
            return self._urls[page].url

    def number_of(self, url: str) -> int | None:
        with self._lock:
            return next((row.page for row in self._urls if row.url == url), None)

    def urls(self, first: int = 0) -> Iterator[UrlRow]:
        with self._lock:
            rows = self._urls[first:]
        return iter(rows)

    def held(self, page: int) -> Held | None:
        document = self.page(page)
        return None if document is None else Held.of(document)

    def page(self, page: int) -> Page | None:
        with self._lock:
            return self._document(page)

    def changes(self, after: int = 0) -> Iterator[Change]:
        with self._lock:
            changes = list(self._changes.values())
        return iter([change for change in changes if change.revision > after])

    def links(self, first: int = 0) -> Iterator[tuple[int, Links]]:
        with self._lock:
            found = sorted(
                (page, links.copy())
                for page, links in self._links.items()
                if page >= first
            )
        return iter(found)

    def link_texts(self, page: int) -> list[LinkText]:
        with self._lock:
            return self._tallies.link_texts(page)

    def diffs(self, after: int = 0) -> Iterator[tuple[int, Diff]]:
        with self._lock:
            later = list(enumerate(self._diffs, 1))[after:]
        return iter(later)

    def changed_lines(self, page: int) -> ChangedLines | None:
        with self._lock:
            found = self._lines.get(page)
        return found if found is not None and found.lines else None

    def versions(self, page: int) -> list[Version]:
        with self._lock:
            past = self._past.get(page, [])
            document = self._document(page)
        held = None if document is None else past_text_of(document)
        return list_versions(past, held)

    def version_text(self, page: int, number: int) -> str | None:
        with self._lock:
            past = self._past.get(page, [])
            document = self._document(page)
        if document is not None and number == (past[-1].number + 1 if past else 1):
            return document.text
        return find_text(past, number)

    def failing(self) -> dict[int, str]:
        found: dict[int, str] = {}
        with self._lock:
            for diff in self._diffs:
                if diff.turn is Turn.FAILING:
                    found[diff.page] = diff.remark
                elif diff.turn is Turn.BACK:
                    found.pop(diff.page, None)
        return found

    def newest_diff(self) -> int:
        with self._lock:
            return len(self._diffs)

    def simhashes(self) -> Iterator[tuple[int, int, int]]:
        found = [
            (document.page, document.simhash, document.same_as)
            for document in self._documents()
            if document.simhash
        ]
        return iter(sorted(found))

    def copies(self, page: int) -> list[int]:
        if page < 0:
            return []
        return sorted(d.page for d in self._documents() if d.same_as == page)

    def visits(self, page: int | None = None, last: int = 100) -> list[Visit]:
        with self._lock:
            visits = list(self._visits.values())
        wanted = (visit for visit in visits if page is None or visit.page == page)
        return heapq.nlargest(last, wanted, key=lambda visit: visit.number)

    def first_visit(self, page: int) -> Visit | None:
        with self._lock:
            visits = list(self._visits.values())
        read = (v for v in visits if v.page == page and v.outcome == Outcome.OK)
        return min(read, key=lambda visit: visit.number, default=None)

    def history(self, after: int = -1) -> Iterator[Visit]:
        with self._lock:
            visits = sorted(self._visits.items())
        return iter([visit for number, visit in visits if number > after])

    def note(self, key: str) -> str | None:
        with self._lock:
            return self._notes.get(key)

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        copied = _copy(checkpoint)
        with self._lock:
            self._checkpoint = copied
            self._calls = _calls_after(self._calls, checkpoint.calls)

    def load_checkpoint(self) -> Checkpoint | None:
        with self._lock:
            return None if self._checkpoint is None else _copy(self._checkpoint)

    def calls(self, after: int) -> Iterator[Call]:
        with self._lock:
            later = sorted(_calls_after(self._calls, after).items())
        return iter([call for _, call in later])

    def close(self) -> None:
        """Nothing to let go of."""


def _calls_after(calls: dict[int, Call], after: int) -> dict[int, Call]:
    return {number: call for number, call in calls.items() if number > after}


def _copy(checkpoint: Checkpoint) -> Checkpoint:
    """The controller goes on writing into the arrays that it saved or restored."""
    return Checkpoint(
        checkpoint.calls,
        {name: array.copy() for name, array in checkpoint.arrays.items()},
    )
