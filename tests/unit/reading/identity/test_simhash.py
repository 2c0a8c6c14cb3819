"""Simhash: the same in every process, near for near texts, far for others."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.reading.identity.simhash import (
    FEWEST_OF_COPIES,
    FEWEST_WORDS,
    _votes,
    distance,
    simhash,
)

RNG = random.Random(11)
VOCABULARY = [
    "".join(RNG.choices("abcdefghijklmnopqrstuvwxyz", k=RNG.randint(2, 9)))
    for _ in range(3000)
]


def text_of(words: int, seed: int) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=words)


def altered(words: list[str], share: float, seed: int) -> list[str]:
    rng = random.Random(seed)
    words = list(words)
    for place in rng.sample(range(len(words)), round(share * len(words))):
        words[place] = rng.choice(VOCABULARY)
    return words


def distances(share: float) -> list[int]:
    texts = [text_of(800, seed) for seed in range(40)]
    return sorted(
        distance(simhash(" ".join(one)), simhash(" ".join(altered(one, share, 5))))
        for one in texts
    )


def test_the_more_is_altered_the_farther_it_is() -> None:
    middle = [distances(share)[20] for share in (0.0, 0.005, 0.03, 0.1, 1.0)]
    assert middle[0] == 0
    assert middle == sorted(middle)
    assert middle[1] <= 4
    assert middle[3] >= 10
    assert distances(1.0)[0] > 12, (
        "texts that share nothing but the language are never near"
    )


def test_the_same_in_every_process() -> None:
    text = " ".join(text_of(200, 1))
    code = f"from trapline.reading.identity.simhash import simhash; print(simhash({text!r}))"
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(other.stdout) == simhash(text)
    assert simhash("star " * 40) == simhash("star " * 50), (
        "only what is said counts, not how often"
    )


def test_stored_simhashes_stay_valid() -> None:
    """A new way to compute them would make all that stores hold worthless: it must be noticed."""
    assert simhash(" ".join(f"word{n}" for n in range(100))) == -6051808179207999476


def test_signed_and_64_bits() -> None:
    values = [simhash(" ".join(text_of(60, seed))) for seed in range(200)]
    assert min(values) < 0 < max(values)
    assert all(-(2**63) <= value < 2**63 for value in values)
    for bit in range(64):
        share = sum(value >> bit & 1 for value in values) / len(values)
        assert 0.3 < share < 0.7, bit


def test_case_and_punctuation_do_not_count() -> None:
    words = text_of(100, 3)
    assert simhash(" ".join(words)) == simhash(", ".join(words).upper() + ".")
    assert simhash("ÄPFEL " + " ".join(words)) == simhash("äpfel " + " ".join(words))


def test_the_order_of_words_counts() -> None:
    words = text_of(300, 4)
    assert distance(simhash(" ".join(words)), simhash(" ".join(reversed(words)))) > 12


def test_the_shortest_texts_tell_nothing() -> None:
    assert simhash("") == simhash("...") == simhash("not here any more") == 0


def test_of_short_texts_only_copies_are_near() -> None:
    for words in (
        text_of(size, 2) for size in (FEWEST_OF_COPIES, 13, FEWEST_WORDS - 1)
    ):
        same = " ".join(words)
        less = " ".join(words[:-1])
        other = " ".join([*words[:-1], "quite"])
        assert simhash(same) == simhash(same.upper() + "!") != 0
        assert distance(simhash(same), simhash(other)) > 9
        assert distance(simhash(same), simhash(less)) > 9


def test_a_long_table_does_not_outvote_the_words() -> None:
    one = text_of(200, 7)
    other = text_of(200, 8)
    zeros = ["0"] * 3000
    assert (
        distance(simhash(" ".join(one + zeros)), simhash(" ".join(other + zeros))) > 12
    )


def test_scripts_without_spaces() -> None:
    rng = random.Random(9)
    signs = [chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(400)]
    other = [chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(400)]
    one = simhash("".join(signs))
    assert one == simhash(
        "。".join(["".join(signs[:200]), "".join(signs[200:])])[:200]
        + "".join(signs[200:])
    )
    assert distance(one, simhash("".join(signs[:398]))) <= 4
    assert distance(one, simhash("".join(other))) > 12


@pytest.mark.parametrize(
    "text",
    ["\ud800 " * 100, "\x00 " * 100, "😀 " * 100, "a" * 300_000, "a b " * 100_000],
)
def test_odd_texts_do_no_harm(text: str) -> None:
    assert -(2**63) <= simhash(text) < 2**63


def test_more_shingles_than_a_count_holds() -> None:
    hashes = np.full(70_000, 2**64 - 1, np.uint64)
    assert _votes(hashes) == -1
    hashes[:36_000] = 5
    assert _votes(hashes) == 5


@given(
    st.lists(
        st.sampled_from([*"宇宙星茶", "ab", "Star", "é7", ",", " ", "—"]),
        min_size=40,
        max_size=60,
    )
)
def test_a_sign_of_a_script_without_spaces_is_a_word(parts: list[str]) -> None:
    apart = [f" {part} " if part in "宇宙星茶" else part for part in parts]
    assert simhash("".join(parts)) == simhash("".join(apart))
