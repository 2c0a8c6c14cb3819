"""The stores of all shards, read as one store."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Final, NoReturn

from trapline.core.links import Links
from trapline.core.records import Diff, Page, Robots, Visit
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
    SteadyStore,
    UrlRow,
    Version,
)
from trapline.stores.united.shard_numbers import ShardNumbers
from trapline.stores.united.walk_book import WalkBook

# of a note, what the shards say that say anything → what is said of all
JoinNotes = Callable[[list[str]], str]
_newest_first = attrgetter("ended_s", "number")


REVISIONS: Final = "shard-revisions.json"  # a book, in the folder of whoever follows


class UnitedStore:
    """Page p of shard s has the number p · shards + s; hosts and visits likewise.

    Revisions and numbers of diffs are sums over the shards (walk_book.py). With a `folder` their
    books are kept there. Notes are those of the first shard that has one, unless `joined` says how
    to join them. Nothing can be written.
    """

    def __init__(
        self,
        stores: Sequence[SteadyStore],
        folder: Path | None = None,
        joined: Mapping[str, JoinNotes] | None = None,
    ) -> None:
        self.shards = list(stores)
        self._numbers = [
            ShardNumbers(shard, len(stores)) for shard in range(len(stores))
        ]
        self._joined = joined or {}
        self._still = False  # a moment is held
        revisions = folder and folder / REVISIONS
        diffs = folder and folder / "shard-diffs.json"
        self._revisions = WalkBook(
            len(stores),
            revisions,
            lately=64,
            twice=True,
        )
        self._diffs = WalkBook(
            len(stores),
            diffs,
            lately=1024,
            by_halves=True,
        )

    def parts(self) -> Sequence[SteadyStore]:
        return self.shards

    def part_of(self, number: int) -> tuple[SteadyStore, int]:
        """The store of a page or host, and its number there."""
        shard = ShardNumbers.shard_of(number, len(self.shards))
        return self.shards[shard], self._numbers[shard].own(number)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with ExitStack() as stack:
            for store in self.shards:
                stack.enter_context(store.snapshot())
            stack.enter_context(self._standing_still())
            yield

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """Of each shard; the moments of two differ by as long as it takes to begin."""
        with ExitStack() as stack:
            for store in self.shards:
                stack.enter_context(store.one_moment())
            stack.enter_context(self._standing_still())
            yield

    @contextmanager
    def _standing_still(self) -> Iterator[None]:
        self._still = True
        try:
            yield
        finally:
            self._still = False

    def counts(self) -> Counts:
        found = [store.counts() for store in self.shards]
        return Counts(
            **{
                part.name: sum(getattr(counts, part.name) for counts in found)
                for part in fields(Counts)
            }
        )

    def hosts(self) -> list[HostRow]:
        """In order of their numbers."""
        found = [
            numbers.host_row(row)
            for store, numbers in self._parts()
            for row in store.hosts()
        ]
        return sorted(found, key=attrgetter("host"))

    def host(self, host: int) -> HostRow:
        store, own = self.part_of(host)
        return self._numbers_of(host).host_row(store.host(own))

    def pages_by_host(self) -> dict[int, HostPages]:
        return {
            numbers.unite(host): pages
            for store, numbers in self._parts()
            for host, pages in store.pages_by_host().items()
        }

    def robots(self, host: int) -> Robots | None:
        store, own = self.part_of(host)
        return store.robots(own)

    def url(self, page: int) -> str:
        store, own = self.part_of(page)
        return store.url(own)

    def number_of(self, url: str) -> int | None:
        """A page that two shards know is the one that is held, or else the first."""
        known = [
            (numbers.unite(page), store.held(page) is not None)
            for store, numbers in self._parts()
            if (page := store.number_of(url)) is not None
        ]
        best = max(known, key=itemgetter(1), default=None)
        return None if best is None else best[0]

    def urls(self, first: int = 0) -> Iterator[UrlRow]:
        rows = (
            map(numbers.url_row, store.urls(numbers.first_own(first)))
            for store, numbers in self._parts()
        )
        return heapq.merge(*rows, key=attrgetter("page"))

    def held(self, page: int) -> Held | None:
        store, own = self.part_of(page)
        return store.held(own)

    def count_relevant(self, least: float) -> int:
        return sum(store.count_relevant(least) for store in self.shards)

    def page(self, page: int) -> Page | None:
        store, own = self.part_of(page)
        found = store.page(own)
        return None if found is None else self._numbers_of(page).page(found)

    def changes(self, after: int = 0) -> Iterator[Change]:
        """Whoever comes with a revision of long ago is told some changes twice, none never."""
        for leg in self._revisions.legs(
            after, self._newest_revisions, still=self._still
        ):
            numbers = self._numbers[leg.shard]
            changes = self.shards[leg.shard].changes(leg.after)
            for change in changes:
                if change.revision > leg.upto:
                    break
                yield numbers.change(change, leg.base + change.revision)

    def links(self, first: int = 0) -> Iterator[tuple[int, Links]]:
        found = (
            self._links_of(store, numbers, first) for store, numbers in self._parts()
        )
        return heapq.merge(*found, key=itemgetter(0))

    def _links_of(
        self, store: SteadyStore, numbers: ShardNumbers, first: int
    ) -> Iterator[tuple[int, Links]]:
        for page, links in store.links(numbers.first_own(first)):
            yield numbers.unite(page), numbers.links(links)

    def link_texts(self, page: int) -> list[LinkText]:
        store, own = self.part_of(page)
        return store.link_texts(own)

    def diffs(self, after: int = 0) -> Iterator[tuple[int, Diff]]:
        """Oldest first in each shard; of two shards, as they were first asked for."""
        for leg in self._diffs.legs(after, self._newest_diffs, still=self._still):
            numbers = self._numbers[leg.shard]
            found = self.shards[leg.shard].diffs(leg.after)
            for number, diff in found:
                if number > leg.upto:
                    break
                yield leg.base + number, numbers.diff(diff)

    def changed_lines(self, page: int) -> ChangedLines | None:
        store, own = self.part_of(page)
        return store.changed_lines(own)

    def versions(self, page: int) -> list[Version]:
        store, own = self.part_of(page)
        return store.versions(own)

    def version_text(self, page: int, number: int) -> str | None:
        store, own = self.part_of(page)
        return store.version_text(own, number)

    def failing(self) -> dict[int, str]:
        return {
            numbers.unite(page): remark
            for store, numbers in self._parts()
            for page, remark in store.failing().items()
        }

    def newest_diff(self) -> int:
        return sum(store.newest_diff() for store in self.shards)

    def simhashes(self) -> Iterator[tuple[int, int, int]]:
        found = (self._simhashes_of(store, numbers) for store, numbers in self._parts())
        return heapq.merge(*found, key=itemgetter(0))

    def _simhashes_of(
        self, store: SteadyStore, numbers: ShardNumbers
    ) -> Iterator[tuple[int, int, int]]:
        for page, simhash, same_as in store.simhashes():
            yield numbers.unite(page), simhash, numbers.unite(same_as)

    def copies(self, page: int) -> list[int]:
        store, own = self.part_of(page)
        return [self._numbers_of(page).unite(copy) for copy in store.copies(own)]

    def visits(self, page: int | None = None, last: int = 100) -> list[Visit]:
        if page is not None:
            store, own = self.part_of(page)
            numbers = self._numbers_of(page)
            return [numbers.visit(visit) for visit in store.visits(own, last)]
        few = 2 * last // len(self.shards) + 1
        newest = [store.visits(last=min(few, last)) for store in self.shards]
        sure_s = _end_of_last(newest, last)
        for shard, visits in enumerate(newest):
            # perhaps more than its share of the newest are this shard's
            if few <= len(visits) < last and visits[-1].ended_s >= sure_s:
                newest[shard] = self.shards[shard].visits(last=last)
        found = [
            numbers.visit(visit)
            for numbers, visits in zip(self._numbers, newest, strict=True)
            for visit in visits
        ]
        return sorted(found, key=_newest_first, reverse=True)[:last]

    def first_visit(self, page: int) -> Visit | None:
        store, own = self.part_of(page)
        found = store.first_visit(own)
        return None if found is None else self._numbers_of(page).visit(found)

    def history(self, after: int = -1) -> Iterator[Visit]:
        """By time. Shards number their visits apart, so that no number says how far all have
        come: whoever follows visits follows each shard.
        """
        found = (
            map(numbers.visit, store.history(numbers.first_own(after + 1) - 1))
            for store, numbers in self._parts()
        )
        return heapq.merge(*found, key=attrgetter("ended_s"))

    def note(self, key: str) -> str | None:
        said = (store.note(key) for store in self.shards)
        if key not in self._joined:
            return next((note for note in said if note is not None), None)
        known = [note for note in said if note is not None]
        return self._joined[key](known) if known else None

    def close(self) -> None:
        for store in self.shards:
            store.close()

    def commit(self, batch: Batch) -> None:
        self._refuse()

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        self._refuse()

    def load_checkpoint(self) -> Checkpoint | None:
        """None: each shard has its own."""
        return None

    def calls(self, after: int) -> Iterator[Call]:
        """None: each shard has its own journal."""
        return iter(())

    def _newest_revisions(self) -> tuple[int, ...]:
        return tuple(store.counts().revision for store in self.shards)

    def _newest_diffs(self) -> tuple[int, ...]:
        return tuple(store.newest_diff() for store in self.shards)

    def _refuse(self) -> NoReturn:
        raise ValueError("a crawl in shards is written shard by shard")

    def _parts(self) -> Iterator[tuple[SteadyStore, ShardNumbers]]:
        return zip(self.shards, self._numbers, strict=True)

    def _numbers_of(self, number: int) -> ShardNumbers:
        return self._numbers[ShardNumbers.shard_of(number, len(self.shards))]


def _end_of_last(newest: list[list[Visit]], last: int) -> float:
    """When the last of so many newest visits ended; −∞ = there are fewer."""
    ended = sorted((one.ended_s for visits in newest for one in visits), reverse=True)
    return ended[last - 1] if len(ended) >= last else -math.inf
