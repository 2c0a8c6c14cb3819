"""The first look at numbers finds whatever the words beside them, or their shape, may make
changing; and little else.
"""

from __future__ import annotations

import random

import pytest

from trapline.reading.identity.number_screen import (
    beginnings_of,
    find_candidates,
    screen_text,
)

AFTER = beginnings_of(["views", "ago", "s"])
BEFORE = beginnings_of(["total", "mär"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("7", []),
        ("7 views", [0]),
        ("7 Views of 8 things", [0]),
        ("(7 views)", [1]),
        ("x7 views", []),
        ("7 s", [0]),
        ("7 sx", []),
        ("total 7", [6]),
        ("Total: 7", [7]),
        ("in total of 7", []),
        ("MÄRZ 7", [5]),
        ("7.5 of 12:30 or 3/4/24 or 1.2.24", [7, 16, 26]),
        ("1999 2024 1850 199", [0, 5]),
        ("id 0a1b2c3d4e5f6a7b end", [3, 5, 7, 9, 11, 13, 15, 17]),
        ("\ud800 7 views \U0001f6007 views", [2]),
        ("total  7", []),
    ],
)
def test_numbers_that_are_looked_at_again(text: str, found: list[int]) -> None:
    assert find_candidates(text, AFTER, BEFORE) == found


def test_no_number_with_such_a_word_is_overlooked() -> None:
    for seed in range(500):
        words = random.Random(seed).choices(
            ["7", "17", "views", "total", "und", "\u4e2d", "x1", "3.5"], k=30
        )
        starts = [sum(len(word) + 1 for word in words[:place]) for place in range(30)]
        wanted = {
            starts[place]
            for place, word in enumerate(words)
            if word[0].isdigit()
            and (
                "views" in words[place + 1 : place + 2]
                or "total" in words[max(place - 1, 0) : place]
            )
        }
        assert wanted <= set(find_candidates(" ".join(words), AFTER, BEFORE)), seed


@pytest.mark.parametrize(
    "text",
    [
        "an hour ago",
        "made just now.",
        "das war vor einer Stunde",
        "fait il y a une heure",
    ],
)
def test_ages_in_words_are_noticed(text: str) -> None:
    screened = screen_text(text, AFTER, BEFORE)
    assert screened.aged
    assert screened.candidates == []


@pytest.mark.parametrize(
    "text", ["", "ago", "agony in a nowhere", "vorab, filed", "now\u4e2d"]
)
def test_other_words_are_no_ages(text: str) -> None:
    screened = screen_text(text, AFTER, BEFORE)
    assert not screened.aged
    assert screened.candidates == []


@pytest.mark.parametrize("text", ["中", "日本 3", "조회수 512", "x 中 y"])
def test_ideographs_are_noticed(text: str) -> None:
    assert screen_text(text, AFTER, BEFORE).ideographs


@pytest.mark.parametrize("text", ["", "Füße", "обновлено", "ώρες"])
def test_other_letters_are_no_ideographs(text: str) -> None:
    assert not screen_text(text, AFTER, BEFORE).ideographs


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("53.10. Next 8.15.5. Up 3.14 1.5 GB 2,5", []),  # chapters, and other numbers
        ("3.5.24 1066-10-14 17h30 4th 12ms 0.034s", [0, 7, 18, 24, 28, 33]),
        ("f4(a,b)=(2024-01-01 cost=0.00..195.00", []),  # expressions
        ("CVE-2024-4317-and-more 2024", [4, 9, 23]),  # as long as a mark
        ("x" * 9 + "(7=y,z+9)", [10]),
    ],
)
def test_what_only_looks_like_a_date(text: str, found: list[int]) -> None:
    assert find_candidates(text, AFTER, BEFORE) == found


def test_a_word_without_end_takes_no_longer_than_others() -> None:
    assert find_candidates("1," * 200_000, AFTER, BEFORE) == [0]
