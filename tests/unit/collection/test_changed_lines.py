"""Which lines differed is told shortly, and never takes long."""

from __future__ import annotations

import pytest

from trapline.collection.changed_lines import LONGEST
from trapline.collection.differences import difference
from trapline.core.records import Page


def lines(old: str, new: str) -> list[str]:
    note = difference(_page(old), _page(new), 1, 5.0)
    assert note is not None
    return note.lines.split("\n")


def _page(text: str) -> Page:
    return Page(1, "http://a/", "Title", text, 1.0, 1, "", "", 0.0, 0.0)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a\nb c\nd", "a\nb x\nd", ["- b c", "+ b x"]),
        ("a\nb\nc", "a\nc", ["- b"]),
        ("a\nc", "a\nb\nc", ["+ b"]),
        ("a\nb", "a\nb\nc\nd", ["+ c", "+ d"]),
        ("a\nb\nc\nd", "x\nb\nc\ny", ["- a", "+ x", "- d", "+ y"]),
        ("a b", "a b", [""]),
    ],
)
def test_lines_that_differ(old: str, new: str, told: list[str]) -> None:
    assert lines(old, new) == told


def test_a_word_in_a_long_line_is_told_with_what_is_around_it() -> None:
    words = [f"word{number}" for number in range(20_000)]
    old = " ".join(words)
    words[9_000] = "OTHER"
    went, came = lines(old, " ".join(words))
    assert "word9000" in went and "OTHER" in came
    assert "word8999 OTHER word9001" in came and len(came) < 400


def test_long_changes_are_cut() -> None:
    old = "\n".join(f"old line {number}" for number in range(50_000))
    new = "\n".join(f"new line {number}" for number in range(50_000))
    told = lines(old, new)
    assert sum(map(len, told)) <= LONGEST
    assert told.count("- …") == told.count("+ …") == 1


def test_new_and_gone_pages_have_no_lines() -> None:
    for old, new in ((None, _page("a")), (_page("a"), None)):
        note = difference(old, new, 1, 5.0)
        assert note is not None and note.lines == ""
