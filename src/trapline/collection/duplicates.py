"""Which page says the same as another: exact copies and near ones, in groups that point at their
first page.

Pages whose simhashes differ in at most `WITHIN` = 3 of 64 bits say the same. Cut into 4 bands of 16
bits, two such simhashes agree in one band at least (4 drawers, 3 differences), so every first page
of a group is filed in 4 lists, one for each band, and a look-up walks the 4 lists of its own bands
(Manku, Jain, Das Sarma: Detecting near-duplicates for web crawling, WWW 2007).

Only first pages are filed; the others hang in a list at theirs. So two things always hold: every
page of a group lies within 3 bits of its first page (no chains), and no two first pages lie within
3 bits of each other. When a first page leaves, the others of its group are put again, in order of
number: usually the next one becomes the first of them all. Whoever was first stays it, unless the
new page is the original (`Originals`): then they change places.

Arrays are indexed by page: 28 bytes for each page up to the highest one put, and 1 MB for the heads
of the lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from trapline.collection.duplicate_lists import (
    BANDS,
    BEHIND,
    WIDTH,
    WITHIN,
    Hashes,
    Numbers,
    bits_apart,
    file_first,
    grow,
    join_group,
    leave_group,
    nearest,
    unfile_first,
)
from trapline.collection.originals import Originals

_NONE: Final = -1
_GROWTH: Final = 32  # arrays grow by a 32nd: 28 bytes a page must not become 56


class Duplicates:
    """Groups of pages that say the same, by their simhashes; a simhash of 0 (too short to tell)
    belongs to none.

    `put`, `drop` and `load` return what must be written again: {page: the page that it is the same
    as now, or −1}.

    >>> known = Duplicates()
    >>> known.put(7, 0b1111), known.put(2, 0b1110), known.put(4, 0b1101)
    ({7: -1}, {2: 7}, {4: 7})
    >>> known.same_as(9, 0b0111), known.same_as(9, ~0b1111)
    (7, -1)
    >>> known.drop(7)
    {2: -1, 4: 2}
    """

    def __init__(self) -> None:
        self._originals = Originals()
        self._heads: Numbers = np.full((BANDS, 1 << WIDTH), _NONE, np.int32)
        self._hashes: Hashes = np.zeros(0, np.int64)
        # Of a first page: the next one in the list of each band. Of others: the next and the one
        # before in the group.
        self._nexts: Numbers = np.empty((0, BANDS), np.int32)
        # of a first page: the group's latest; else BEHIND − first
        self._behind: Numbers = np.empty(0, np.int32)

    @property
    def nbytes(self) -> int:
        return (
            self._heads.nbytes
            + self._hashes.nbytes
            + self._nexts.nbytes
            + self._behind.nbytes
        )

    def same_as(self, page: int, simhash: int) -> int:
        """The first page of the group that a text with this simhash would join, but for the page
        itself; or −1.
        """
        return (
            int(nearest(self._heads, self._nexts, self._hashes, simhash, page))
            if simhash
            else _NONE
        )

    def is_copy(self, page: int) -> bool:
        """Whether another page said the same before this one."""
        return (
            page < self._hashes.size
            and bool(self._hashes[page])
            and self._first(page) >= 0
        )

    def put(self, page: int, simhash: int) -> dict[int, int]:
        """A page has this simhash now.

        The answer holds the page itself, and others if they followed it before.
        """
        self._make_room(page + 1)
        if simhash and self._hashes[page] == simhash:
            first = self._first(page)
            if first < 0 or not self._originals.precedes(page, first):
                return {page: first}
        moved = self.drop(page)
        return moved | self._claim_place(page, simhash)

    def prefer(self, seeds: Iterable[int]) -> dict[int, int]:
        """The user names these pages: no other takes their place."""
        new = set(seeds) - self._originals.seeds
        self._originals.seeds |= new
        return self._put_again(sorted(new))

    def name_original(self, page: int, original: int) -> dict[int, int]:
        """A page says itself that it is a copy of another."""
        self._originals.note_word(page, original)
        return self._put_again([original])

    def drop(self, page: int) -> dict[int, int]:
        """A page is gone, or says something else now.

        The answer holds those whose first page it was.
        """
        if page >= self._hashes.size or not self._hashes[page]:
            return {}
        first = self._first(page)
        if first >= 0:
            leave_group(self._nexts, self._behind, page, first)
            self._hashes[page] = 0
            return {}
        orphans = sorted(self._followers(page), key=self._originals.rank)
        unfile_first(self._heads, self._nexts, page, self._hashes[page])
        self._hashes[page] = 0
        return {orphan: self._enter(orphan, self._hashes[orphan]) for orphan in orphans}

    def load(self, rows: Iterable[tuple[int, int, int]]) -> dict[int, int]:
        """Take (page, simhash, same_as) as a store remembers them; the answer holds those that it
        remembers wrongly.
        """
        followers: list[tuple[int, int]] = []
        for page, simhash, first in rows:
            self._make_room(page + 1)
            self._hashes[page] = simhash
            if first < 0:
                self._file(page, simhash)
            else:
                followers.append((page, first))
        return {
            page: found
            for page, first in followers
            if (found := self._rejoin(page, first)) != first
        }

    def _rejoin(self, page: int, first: int) -> int:
        """Behind its remembered first page if that is one and near enough, else wherever it
        belongs.
        """
        simhash = self._hashes[page]
        known = (
            first < self._hashes.size
            and self._hashes[first]
            and self._behind[first] >= _NONE
        )
        if known and bits_apart(self._hashes[first], simhash) <= WITHIN:
            self._join(page, first)
            return first
        return self._enter(page, simhash)

    def _put_again(self, pages: Iterable[int]) -> dict[int, int]:
        """Copies among these that may be originals now."""
        moved: dict[int, int] = {}
        for page in pages:
            if self.is_copy(page):
                moved |= self.put(page, int(self._hashes[page]))
        return moved

    def _claim_place(self, page: int, simhash: int) -> dict[int, int]:
        """File a page that is nowhere; first pages that it precedes follow it from now on."""
        displaced: list[int] = []
        first = self.same_as(page, simhash)
        while first >= 0 and self._originals.precedes(page, first):
            displaced += [first, *self._followers(first)]
            unfile_first(self._heads, self._nexts, first, self._hashes[first])
            first = self.same_as(page, simhash)
        moved = {page: self._enter(page, simhash)}
        for one in sorted(displaced, key=self._originals.rank):
            moved[one] = self._enter(one, self._hashes[one])
        return moved

    def _enter(self, page: int, simhash: int) -> int:
        """File a page that is nowhere; its first page, or −1 if it is one."""
        self._hashes[page] = simhash
        first = self.same_as(page, simhash)
        if first >= 0:
            self._join(page, first)
        elif simhash:
            self._file(page, simhash)
        return first

    def _join(self, page: int, first: int) -> None:
        join_group(self._nexts, self._behind, page, first)
        self._originals.note_copy(page, first)

    def _file(self, page: int, simhash: int) -> None:
        file_first(self._heads, self._nexts, page, simhash)
        self._behind[page] = _NONE

    def _first(self, page: int) -> int:
        behind = int(self._behind[page])
        return BEHIND - behind if behind <= BEHIND else _NONE

    def _followers(self, first: int) -> list[int]:
        found: list[int] = []
        page = int(self._behind[first])
        while page >= 0:
            found.append(page)
            page = int(self._nexts[page, 0])
        return found

    def _make_room(self, pages: int) -> None:
        have = self._hashes.size
        if pages <= have:
            return
        room = max(pages, have + have // _GROWTH, 1024)
        self._hashes = grow(self._hashes, room)
        self._nexts = grow(self._nexts, room)
        self._behind = grow(self._behind, room)
