"""Many words looked for at once are found where each by itself would be."""

from __future__ import annotations

import random

import pytest

from trapline.reading.html.tag_scan import WordScanner

WORDS = ("<nav", "<main", "role", "role=", "cookie-", "advert", "verte", "aaaa")
PIECES = (
    "<",
    "<na",
    "<nav",
    "<NAV>",
    "<Main",
    "role",
    "Role =",
    "ROLE=",
    "cookie",
    "cookie-",
    "advertent",
    "a",
    "aaaaa",
)


def test_as_one_by_one() -> None:
    scanner = WordScanner(WORDS)
    for seed in range(2_000):
        chance = random.Random(seed)
        text = "".join(
            chance.choices((*PIECES, " ", "x", "\u00e9"), k=chance.randint(0, 12))
        ).encode()
        low = text.lower()
        places = {
            word: [low.startswith(word.encode(), at) for at in range(len(low))]
            for word in WORDS
        }
        assert scanner.count(text) == {
            word: sum(at) for word, at in places.items() if any(at)
        }, text


@pytest.mark.parametrize(
    "text", [b"", b"<", b"<n", b"<na", b"nav", b"rol", b"\xff" * 9]
)
def test_what_is_too_short_holds_nothing(text: bytes) -> None:
    assert WordScanner(WORDS).count(text) == {}
