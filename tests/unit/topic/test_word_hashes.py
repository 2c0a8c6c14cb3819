"""Words by kernel: the same as by regular expression and dictionary, only faster."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.topic.word_hashes import (
    LONGEST,
    STOP_WORDS,
    count_words,
    line_hashes,
    normal,
    telling_words,
    word_hashes,
)

STOPS = {normal(word) for word in STOP_WORDS.split()}


def by_hand(text: str) -> list[str]:
    words = (normal(word) for word in re.findall(r"[a-z0-9]+", text.lower()))
    return [word for word in words if word not in STOPS and not word.isdigit()]


@given(st.text("abcdeghijsuxyzABS 019.,-_/ '", max_size=200))
def test_the_kernel_reads_what_a_regular_expression_reads(text: str) -> None:
    expected = [
        int(word_hashes(word)[0]) for word in by_hand(text) if len(word_hashes(word))
    ]
    found = word_hashes(text).tolist()
    assert len(found) == len(by_hand(text))
    # A singular that looks like a plural is itself made singular when it is read alone: compare
    # only stable ones.
    if all(normal(word) == word for word in by_hand(text)):
        assert found == expected


@pytest.mark.parametrize(
    "words",
    [
        "galaxies galaxy",
        "boxes box",
        "churches church",
        "dishes dish",
        "classes class",
        "quizzes quizz",
        "stars star",
        "Füße füße",
        "ÉTOILES étoiles",
        "lens len",
        "ties tie",
    ],
)
def test_forms_of_one_word(words: str) -> None:
    one, other = word_hashes(words).tolist()
    assert one == other


@pytest.mark.parametrize(
    "words", ["gas gass", "venus venu", "class clas", "this thi", "bus bu"]
)
def test_different_words(words: str) -> None:
    assert len(set(word_hashes(words).tolist())) == len(word_hashes(words))


@pytest.mark.parametrize("mark", [*"—…“·×，。_/", "\u00a0", "\ufffd"])
def test_marks_beyond_ascii_part_words(mark: str) -> None:
    assert (
        word_hashes(f"space{mark}time").tolist() == word_hashes("space time").tolist()
    )


def test_letters_beyond_ascii_belong_to_words() -> None:
    assert len(word_hashes("été Straße 宇宙 космос ἀστήρ")) == 5


def test_numbers_and_common_words_tell_nothing() -> None:
    assert len(word_hashes("the 17 of 1990, and 3.14")) == 0
    assert telling_words("The history of space, 1990; spaces") == ["history", "space"]


def test_lines_end_where_they_end() -> None:
    words, ends = line_hashes("one star\n\nthe\ntwo stars here", 6)
    assert len(words) == 3
    assert ends.tolist() == [1, 1, 1, 3, 3, 3]


@given(st.text(max_size=60), st.text(max_size=300))
def test_a_bag_counts_each_word_once(title: str, text: str) -> None:
    counts = count_words(title, text)
    assert len(set(counts.words.tolist())) == len(counts.words)
    counted = Counter(word_hashes(text).tolist())
    counted.update(
        {
            word: 5 * times
            for word, times in Counter(
                word_hashes(" ".join(title.split())).tolist()
            ).items()
        }
    )
    assert (
        dict(zip(counts.words.tolist(), counts.times.tolist(), strict=True)) == counted
    )


def test_no_text_is_too_long_or_too_strange() -> None:
    assert count_words("", "star " * LONGEST).times.tolist() == [LONGEST / 5]
    assert (
        len(count_words("", "").words)
        == len(count_words("\n\n", "\0\n \ud800").words)
        == 0
    )
    assert len(count_words("a\nstar\nsun", "moon").words) == 3


@given(st.text(max_size=100))
def test_capitals_of_all_scripts_are_small_letters(text: str) -> None:
    assert word_hashes(text).tolist() == word_hashes(text.lower()).tolist()


@pytest.mark.parametrize("capital", [*"ÄÞŐΩЖẞԱႠᏣꙀＡ", "\u212a", "\u212b", "\U00010400"])
def test_a_capital_beyond_ascii_is_found_wherever_it_stands(capital: str) -> None:
    for text in (f"star {capital}x", f"star{capital}", f"{capital}, star"):
        assert word_hashes(text).tolist() == word_hashes(text.lower()).tolist()


def test_the_same_words_in_lines_with_capitals_beyond_ascii() -> None:
    words, ends = line_hashes("Öl\n\nthe 17\nTWO Stars", 5)
    assert words.tolist() == word_hashes("öl two star").tolist()
    assert ends.tolist() == [1, 1, 1, 3, 3]
