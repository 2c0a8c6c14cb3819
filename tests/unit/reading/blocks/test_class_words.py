"""Words in the names of elements."""

from __future__ import annotations

import pytest

from trapline.reading.blocks.class_words import HINTS, find_hints


def words(name: str) -> set[str]:
    hints = find_hints(name.encode())
    return {word for word, bit in HINTS.items() if hints >> bit & 1}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("comments-area", {"comment"}),
        ("jp-relatedposts", {"related"}),
        ("mainNav", {"nav"}),
        ("ad", {"-ad-"}),
        ("top-ads", {"-ad-"}),
        ("header_AD", {"header", "-ad-"}),
        ("roadmap upload gadget", set()),
        ("", set()),
    ],
)
def test_words_are_found_in_names(name: str, found: set[str]) -> None:
    assert words(name) == found


def test_every_hint_has_a_bit_of_its_own() -> None:
    assert len(set(HINTS.values())) == len(HINTS) <= 64
