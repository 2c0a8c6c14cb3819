"""Tidying does what splitting, joining and a regular expression would do."""

from __future__ import annotations

import random
import re

from trapline.reading.html.whitespace import tidy_whitespace

SIGNS = (
    "ab.,;:!?)]([ \t\n\r\f\v\x1c\x85\u00a0\u2003\u2028"
    "\u3000\u3001\u200bäé\u4e2d\U0001f600\ud800"
)


def test_as_by_hand() -> None:
    for seed in range(2_000):
        chance = random.Random(seed)
        text = "".join(chance.choices(SIGNS, k=chance.randint(0, 60)))
        assert tidy_whitespace(text) == re.sub(
            r" (?=[.,;:!?)\]])", "", " ".join(text.split())
        ), repr(text)
