"""Reward (11): every case of the paper's, and the ones between them."""

from __future__ import annotations

from itertools import product

import pytest

from trapline.theory.discovery.reward import reward


@pytest.mark.parametrize(
    ("first", "modified", "deleted", "expected"),
    [
        (True, False, False, 0.4),  # first retrieval: what it is worth now
        (True, True, False, 0.4),  # a first retrieval cannot be a modification
        (False, True, False, 0.7),  # modified: the larger of both
        (False, False, True, 0.7),  # deleted: what it was worth
        (False, True, True, 0.7),
        (True, False, True, 0.0),  # gone before anybody had it
        (False, False, False, 0.0),  # nothing happened
    ],
)
def test_every_case(
    first: bool, modified: bool, deleted: bool, expected: float
) -> None:
    assert reward(first, modified, deleted, before=0.7, after=0.4) == expected


def test_a_modification_may_raise_the_relevance() -> None:
    assert reward(False, True, False, before=0.2, after=0.9) == 0.9


def test_it_is_never_more_than_the_larger_relevance() -> None:
    for first, modified, deleted in product((False, True), repeat=3):
        assert 0.0 <= reward(first, modified, deleted, 0.3, 0.6) <= 0.6
