"""What two sequences have in common is found, and a hostile page takes no longer than others."""

from __future__ import annotations

import difflib
import random
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trapline.collection.matching import match_items

items = st.lists(st.sampled_from("abcde"), max_size=25)

# no time limit: the machine may be busy
at_any_load = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@at_any_load
@given(items, items)
def test_pairs_are_the_same_items_in_order(old: list[str], new: list[str]) -> None:
    pairs = match_items(old, new)
    assert all(old[i] == new[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


@at_any_load
@given(items, items)
def test_without_work_only_both_ends_are_compared(
    old: list[str], new: list[str]
) -> None:
    pairs = match_items(old, new, work=0)
    assert all(old[i] == new[j] for i, j in pairs)
    assert len(pairs) <= len(match_items(old, new))


def test_it_finds_about_as_much_as_difflib() -> None:
    rng = random.Random(1)
    for _ in range(50):
        old = [str(rng.randrange(40)) for _ in range(60)]
        new = [item for item in old if rng.random() < 0.8]
        new.insert(rng.randrange(len(new)), "x")
        blocks = difflib.SequenceMatcher(None, old, new, False).get_matching_blocks()
        assert len(match_items(old, new)) >= 0.95 * sum(block.size for block in blocks)


class Counted(str):
    """Words that count how often they are looked at."""

    times = 0

    def __eq__(self, other: object) -> bool:
        Counted.times += 1
        return super().__eq__(other)

    __hash__ = str.__hash__


def test_a_hostile_page_of_100000_lines_is_bounded() -> None:
    """Few different lines, so that there is no anchor; or one anchor at each depth."""
    nested = [str(min(n, 100_000 - n)) for n in range(100_000)]
    shifted = [str(min(n, 99_999 - n) + n % 2) for n in range(100_000)]
    assert match_items(nested, shifted)
    rng = random.Random(2)
    for size in (2_000, 100_000):
        old = [Counted(rng.randrange(3)) for _ in range(size)]
        new = [Counted(rng.randrange(3)) for _ in range(size)]
        Counted.times = 0
        match_items(old, new)
        # a table would take the square of the size
        assert Counted.times < 300_000 + 10 * size


def test_when_the_work_is_used_up_the_rest_differs() -> None:
    old = [str(number) for number in range(1_000)]
    new = ["first", *old[::2], "last"]
    assert len(match_items(old, new)) == 500
    assert match_items(old, new, work=100) == []
