"""A copy does not take the place of an original (decision note 0020)."""

from __future__ import annotations

from trapline.collection.duplicates import Duplicates
from trapline.collection.originals import MOST, Originals

TEXT = 0x0123456789ABCDEF
NEARLY = TEXT ^ 0b11
NEXT_TEXT = ~TEXT
ORIGINAL = 4
MIRROR = 9


def first_of(known: Duplicates, simhash: int) -> int:
    return known.same_as(1_000, simhash)


def copied() -> Duplicates:
    known = Duplicates()
    known.put(ORIGINAL, TEXT)
    assert known.put(MIRROR, TEXT) == {MIRROR: ORIGINAL}
    return known


def test_who_said_it_first_stays_first() -> None:
    known = copied()
    older = 1  # a page that was known before, and says the same only now
    assert known.put(older, TEXT) == {older: ORIGINAL}


def test_a_small_change_of_the_original_does_not_lift_the_copy() -> None:
    known = copied()
    assert known.put(ORIGINAL, NEARLY) == {ORIGINAL: -1, MIRROR: ORIGINAL}


def test_a_copy_that_is_read_before_the_changed_original_gives_way() -> None:
    known = copied()
    assert known.put(MIRROR, NEXT_TEXT) == {MIRROR: -1}
    assert known.put(ORIGINAL, NEXT_TEXT) == {ORIGINAL: -1, MIRROR: ORIGINAL}


def test_an_original_that_was_away_comes_back_to_its_place() -> None:
    known = copied()
    assert known.drop(ORIGINAL) == {MIRROR: -1}
    assert known.put(ORIGINAL, TEXT) == {ORIGINAL: -1, MIRROR: ORIGINAL}


def test_the_relation_survives_a_restart() -> None:
    known = Duplicates()
    known.load([(ORIGINAL, TEXT, -1), (MIRROR, TEXT, ORIGINAL)])
    known.put(MIRROR, NEXT_TEXT)
    assert known.put(ORIGINAL, NEXT_TEXT)[ORIGINAL] == -1


def test_a_seed_is_shown_whoever_came_first() -> None:
    known = Duplicates()
    known.put(MIRROR, TEXT)
    assert known.put(ORIGINAL, TEXT) == {ORIGINAL: MIRROR}
    assert known.prefer([ORIGINAL]) == {ORIGINAL: -1, MIRROR: ORIGINAL}
    assert known.prefer([ORIGINAL]) == {}
    assert known.put(MIRROR, NEARLY) == {MIRROR: ORIGINAL}


def test_of_two_seeds_the_first_stays() -> None:
    known = Duplicates()
    known.prefer([ORIGINAL, MIRROR])
    known.put(MIRROR, TEXT)
    assert known.put(ORIGINAL, TEXT) == {ORIGINAL: MIRROR}


def test_a_copy_that_names_its_original_gives_way_to_it() -> None:
    known = Duplicates()
    known.put(MIRROR, TEXT)
    known.put(ORIGINAL, TEXT)
    assert known.name_original(MIRROR, ORIGINAL) == {ORIGINAL: -1, MIRROR: ORIGINAL}


def test_also_if_the_original_is_met_later() -> None:
    known = Duplicates()
    known.name_original(MIRROR, ORIGINAL)
    known.put(MIRROR, TEXT)
    assert known.put(ORIGINAL, TEXT) == {ORIGINAL: -1, MIRROR: ORIGINAL}


def test_nobody_is_lifted_by_the_word_of_others() -> None:
    """An attacker's pages name each other as originals; the real one names nobody."""
    known = copied()
    crowd = range(20, 30)
    for page in crowd:
        known.name_original(page, MIRROR)
        known.put(page, TEXT)
    known.name_original(MIRROR, 20)
    assert first_of(known, TEXT) == ORIGINAL


def test_a_page_that_names_another_text_changes_nothing() -> None:
    known = copied()
    known.put(7, NEXT_TEXT)
    assert known.name_original(ORIGINAL, 7) == {}
    assert first_of(known, TEXT) == ORIGINAL


def test_a_large_group_changes_its_first_page_whole() -> None:
    known = Duplicates()
    known.put(MIRROR, TEXT)
    for page in range(100, 200):
        known.put(page, TEXT)
    known.put(ORIGINAL, TEXT)
    moved = known.prefer([ORIGINAL])
    assert moved == {ORIGINAL: -1, MIRROR: ORIGINAL} | dict.fromkeys(
        range(100, 200), ORIGINAL
    )


def test_what_is_remembered_is_bounded() -> None:
    originals = Originals()
    for page in range(MOST + 10):
        originals.note_copy(page + 1, page)
        originals.note_word(page + 1, page)
    assert not originals.precedes(0, 1)
    assert originals.precedes(MOST, MOST + 1)
