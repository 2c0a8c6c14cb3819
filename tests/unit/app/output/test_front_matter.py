"""Front matter is valid YAML, whatever a page calls itself."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trapline.app.output.front_matter import front_matter


def read(text: str) -> dict[str, object]:
    begin, head, rest = text.split("---\n")
    assert (begin, rest) == ("", "")
    found = yaml.safe_load(head)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    "title",
    [
        "--- # no: {end} [of] 'it' \"all\" \\",
        "a\n---\nurl: http://evil/\n",
        "\x00\x07\x1b[2J\x7f\x85\u2028\u202e\ufeff\ufffe\U000e0041",
        "!!python/object/apply:os.system ['x']",
        "*a &b %c @d `e` null yes 1e3 2026-01-01",
        "𝔘 👩‍🚀 שלום",
    ],
)
def test_hostile_titles(title: str) -> None:
    text = front_matter({"title": title, "relevance": 0.25, "language": None})
    assert read(text) == {"title": title, "relevance": 0.25}


@given(st.text())
def test_any_title(title: str) -> None:
    shown = read(front_matter({"title": title}))["title"]
    assert shown == title


def test_half_a_character_is_marked() -> None:
    assert read(front_matter({"title": "a\ud800"})) == {"title": "a\ufffd"}
