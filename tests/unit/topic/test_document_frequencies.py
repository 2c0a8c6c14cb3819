"""Which words tell pages apart is learnt, in bounded memory and in steps."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.topic.document_frequencies import PLACES, PRIOR, Frequencies
from trapline.topic.word_hashes import word_hashes


def hashed(word: str) -> int:
    return int(word_hashes(word)[0])


def test_words_of_every_web_site_are_known_to_be_common() -> None:
    frequencies = Frequencies()
    assert frequencies.weight(hashed("page")) < 1.5
    assert frequencies.weight(hashed("telescope")) > 5.0


def test_weights_follow_the_share_of_documents_in_steps() -> None:
    frequencies = Frequencies()
    star = word_hashes("star")
    sun = word_hashes("star sun")
    before = frequencies.weight(hashed("star"))
    changed = [
        frequencies.learn(sun if n % 10 == 0 else star) for n in range(7 * PRIOR)
    ]
    assert [n + 1 + PRIOR for n, step in enumerate(changed) if step] == [
        2 * PRIOR,
        4 * PRIOR,
        8 * PRIOR,
    ]
    assert before > 5.0
    assert frequencies.weight(hashed("star")) == pytest.approx(
        np.log(1.005 / (7 / 8 + 0.005))
    )
    assert frequencies.weight(hashed("sun")) == pytest.approx(
        np.log(1.005 / (0.7 / 8 + 0.005)), rel=0.01
    )
    assert frequencies.weight(hashed("moon")) == pytest.approx(before)


def test_a_rare_word_is_not_taken_for_a_common_one_that_shares_a_place() -> None:
    frequencies = Frequencies()
    common = np.array([7], np.int32)
    neighbour = 7 + PLACES  # one place in common of two
    for _ in range(PRIOR):
        frequencies.learn(common)
    assert frequencies.weight(7) < 1.0
    assert frequencies.weight(neighbour) > 5.0


def test_state_survives() -> None:
    rng = np.random.default_rng(1)
    frequencies = Frequencies()
    other = Frequencies()
    for _ in range(70):
        frequencies.learn(np.unique(rng.integers(1, 2**31, 200).astype(np.int32)))
    other.restore(
        {name: np.array(array) for name, array in frequencies.state().items()}
    )
    for _ in range(40):
        words = np.unique(rng.integers(1, 2**31, 200).astype(np.int32))
        assert frequencies.learn(words) == other.learn(words)
    assert np.array_equal(frequencies.weights, other.weights)
    assert sum(array.nbytes for array in frequencies.state().values()) < 2**21
