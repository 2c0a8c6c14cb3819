"""Groups of pages that say the same: as brute force would find them, whatever comes, changes and
goes.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.collection.duplicate_lists import WITHIN, bits_apart
from trapline.collection.duplicates import Duplicates


class Plain:
    """The same groups by comparing with every first page."""

    def __init__(self) -> None:
        self.hashes: dict[int, int] = {}
        # page → the first page of its group, −1 = it is one itself
        self.first: dict[int, int] = {}
        self.met: dict[int, int] = {}  # page → whose copy it was last
        self.named: dict[int, int] = {}
        self.seeds: set[int] = set()

    def precedes(self, page: int, other: int) -> bool:
        if (page in self.seeds) != (other in self.seeds):
            return page in self.seeds
        if other in (self.named.get(page), self.met.get(page)):
            return self.named.get(other) == page and self.named.get(page) != other
        return page in (self.named.get(other), self.met.get(other))

    def rank(self, page: int) -> tuple[bool, int]:
        return page not in self.seeds, page

    def same_as(self, page: int, simhash: int) -> int:
        firsts = (one for one, first in self.first.items() if first < 0 and one != page)
        near = [(apart(self.hashes[one], simhash), one) for one in firsts]
        best = min(near, default=(WITHIN + 1, -1))
        return best[1] if simhash and best[0] <= WITHIN else -1

    def put(self, page: int, simhash: int) -> dict[int, int]:
        if simhash and self.hashes.get(page) == simhash:
            first = self.first[page]
            if first < 0 or not self.precedes(page, first):
                return {page: first}
        moved = self.drop(page)
        displaced: dict[int, int] = {}
        while (first := self.same_as(page, simhash)) >= 0:
            if not self.precedes(page, first):
                break
            for one in [first, *(o for o in self.first if self.first[o] == first)]:
                displaced[one] = self.hashes[one]
            for one in displaced:
                self.hashes.pop(one, None)
                self.first.pop(one, None)
        moved |= self.enter(page, simhash)
        for one in sorted(displaced, key=self.rank):
            moved |= self.enter(one, displaced[one])
        return moved

    def enter(self, page: int, simhash: int) -> dict[int, int]:
        first = self.same_as(page, simhash)
        if simhash:
            self.hashes[page] = simhash
            self.first[page] = first
        if first >= 0:
            self.met[page] = first
        return {page: first}

    def drop(self, page: int) -> dict[int, int]:
        if page not in self.hashes:
            return {}
        del self.hashes[page], self.first[page]
        orphans = {
            one: self.hashes.pop(one)
            for one in sorted(self.first, key=self.rank)
            if self.first[one] == page
        }
        for one in orphans:
            del self.first[one]
        moved: dict[int, int] = {}
        for one, simhash in orphans.items():
            moved |= self.enter(one, simhash)
        return moved

    def name_original(self, page: int, original: int) -> dict[int, int]:
        self.named[page] = original
        copy = self.first.get(original, -1) >= 0
        return self.put(original, self.hashes[original]) if copy else {}

    def prefer(self, seeds: list[int]) -> dict[int, int]:
        new = sorted(set(seeds) - self.seeds)
        self.seeds |= set(new)
        moved: dict[int, int] = {}
        for one in new:
            if self.first.get(one, -1) >= 0:
                moved |= self.put(one, self.hashes[one])
        return moved

    def rows(self) -> list[tuple[int, int, int]]:
        return [
            (page, self.hashes[page], self.first[page]) for page in sorted(self.hashes)
        ]


def apart(one: int, other: int) -> int:
    return ((one ^ other) & (2**64 - 1)).bit_count()


def flipped(simhash: int, bits: tuple[int, ...]) -> int:
    for bit in bits:
        simhash ^= -(2**63) if bit == 63 else 1 << bit
    return simhash


# A few texts and near copies of them, some between two texts: groups meet, split and change their
# first page.
TEXTS = [
    0x0123456789ABCDEF,
    -0x0123456789ABCDEF,
    flipped(0x0123456789ABCDEF, (63, 44, 24, 3)),
    1,
    -1,
]
near_copies = st.builds(
    flipped, st.sampled_from(TEXTS), st.lists(st.integers(0, 63), max_size=5).map(tuple)
)
steps = st.tuples(st.integers(0, 30), st.one_of(st.none(), st.just(0), near_copies))
words = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20)


@settings(max_examples=200, deadline=None)
@given(st.lists(steps, max_size=60), words, st.lists(st.integers(0, 30), max_size=3))
def test_as_brute_force(
    history: list[tuple[int, int | None]],
    words: list[tuple[int, int]],
    seeds: list[int],
) -> None:
    known = Duplicates()
    plain = Plain()
    for time, (page, simhash) in enumerate(history):
        if time == 10:
            assert known.prefer(seeds) == plain.prefer(seeds)
        if words and time % 3 == 0:
            said = words.pop()
            assert known.name_original(*said) == plain.name_original(*said)
        if simhash is None:
            assert known.drop(page) == plain.drop(page)
        else:
            assert known.same_as(page, simhash) == plain.same_as(page, simhash)
            assert known.put(page, simhash) == plain.put(page, simhash)
    again = Duplicates()
    again.prefer(plain.seeds)
    assert again.load(plain.rows()) == {}
    for page, simhash in history:
        assert again.same_as(page, simhash or 0) == known.same_as(page, simhash or 0)
        assert sorted(again.drop(page).items()) == sorted(known.drop(page).items())


@settings(max_examples=100, deadline=None)
@given(st.lists(steps, max_size=60))
def test_what_is_returned_is_all_that_changes(
    history: list[tuple[int, int | None]],
) -> None:
    """Whoever writes down what is returned knows every group; first pages are far apart, others
    near theirs.
    """
    known = Duplicates()
    written: dict[int, int] = {}
    hashes: dict[int, int] = {}
    for page, simhash in history:
        written.pop(page, None)
        hashes.pop(page, None)
        written |= known.drop(page) if simhash is None else known.put(page, simhash)
        if simhash:
            hashes[page] = simhash
    firsts = [page for page in hashes if written[page] < 0]
    assert all(
        apart(hashes[a], hashes[b]) > WITHIN for a in firsts for b in firsts if a != b
    )
    others = [page for page in hashes if written[page] >= 0]
    assert all(
        written[page] in firsts and apart(hashes[page], hashes[written[page]]) <= WITHIN
        for page in others
    )


def test_copies_at_every_distance() -> None:
    known = Duplicates()
    text = 0x5DEECE66D1234567
    known.put(0, text)
    rng = random.Random(1)
    for bits in range(8):
        for _ in range(50):
            copy = flipped(text, tuple(rng.sample(range(64), bits)))
            assert known.same_as(1, copy) == (0 if bits <= WITHIN else -1)


def test_the_nearest_and_then_the_lowest_is_the_one() -> None:
    known = Duplicates()
    known.put(3, 0b0000_0000_1111)
    known.put(5, 0b1111_0000_1111)
    assert known.same_as(9, 0b0111_0000_1111) == 5
    assert known.same_as(9, 0b0011_0000_1111) == 3
    assert known.same_as(3, 0b0011_0000_1111) == 5


def test_a_first_page_that_leaves_hands_its_group_on() -> None:
    known = Duplicates()
    known.put(10, 0b111)
    assert known.put(4, 0b110) == {4: 10}
    assert known.put(6, 0b101) == {6: 10}
    assert known.put(10, 0b111) == {10: -1}, "the same again moves nobody"
    assert known.put(10, -0b111) == {4: -1, 6: 4, 10: -1}
    assert known.drop(6) == {}
    assert known.drop(6) == {}
    assert known.drop(4) == {}
    assert known.same_as(0, 0b111) == -1


def test_pages_leave_a_group_in_any_order() -> None:
    """A list of one large group, in which neighbours leave one after the other."""
    rng = random.Random(4)
    for _ in range(50):
        known = Duplicates()
        for page in range(8):
            known.put(page, 77)
        leaving = rng.sample(range(1, 8), 5)
        assert [known.drop(page) for page in leaving] == [{}] * 5
        left = sorted(set(range(1, 8)) - set(leaving))
        assert known.drop(0) == {left[0]: -1, left[1]: left[0]}


def test_short_texts_are_like_nothing() -> None:
    known = Duplicates()
    assert known.put(0, 1) == {0: -1}
    assert known.put(1, 1) == {1: 0}
    assert known.same_as(2, 0) == -1
    assert known.put(0, 0) == {0: -1, 1: -1}
    assert known.same_as(2, 1) == 1


def test_a_store_that_remembers_wrongly_is_put_right() -> None:
    """A first page that is not there, one that follows another, one that is far away."""
    known = Duplicates()
    assert known.load(
        [(0, 0b1111, -1), (1, 0b0111, 0), (2, 0b0011, 1), (3, -5, 0), (4, -5, 99)]
    ) == {2: 0, 3: -1, 4: 3}
    assert known.drop(0) == {1: -1, 2: 1}
    assert known.drop(3) == {4: -1}


@pytest.mark.parametrize("pages", [70_000])
def test_many_pages_stay_small_and_are_found(pages: int) -> None:
    rng = np.random.default_rng(1)
    hashes = rng.integers(-(2**63), 2**63, pages)
    known = Duplicates()
    known.load((page, int(simhash), -1) for page, simhash in enumerate(hashes))
    assert known.nbytes <= 29 * pages + 4 * 4 * 2**16
    for page in rng.integers(0, pages, 200):
        copy = flipped(
            int(hashes[page]),
            tuple(int(bit) for bit in rng.choice(64, 3, replace=False)),
        )
        assert known.same_as(pages, copy) == page


def test_bits_apart_of_signed_numbers() -> None:
    rng = random.Random(2)
    for _ in range(300):
        one = rng.getrandbits(64) - 2**63
        other = rng.getrandbits(64) - 2**63
        assert bits_apart(one, other) == apart(one, other)
    assert bits_apart(-1, 0) == 64
