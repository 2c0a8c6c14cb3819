"""Texts compared by lines and words."""

from __future__ import annotations

import pytest

from trapline.collection.text_diff import DiffLine, mark_words, signed_lines


def shown(line: DiffLine) -> str:
    """A line with what differs in brackets."""
    pieces = (f"[{text}]" if differs else text for text, differs in line.pieces)
    return f"{line.sign} {''.join(pieces)}"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            ["- price 12 EUR", "+ price 14 EUR"],
            ["- price[ 12] EUR", "+ price[ 14] EUR"],
        ),
        (["- gone"], ["- [gone]"]),
        (["+ one", "+ two"], ["+ [one]", "+ [two]"]),
        (["- a b c d", "+ w x y z d"], ["- [a b c d]", "+ [w x y z d]"]),
        (
            ["- a b", "- c", "+ a x", "- e", "+ f"],
            ["- a[ b]", "- [c]", "+ a[ x]", "- [e]", "+ [f]"],
        ),
        (["- 月は一つ", "+ 月は二つ"], ["- 月は[一]つ", "+ 月は[二]つ"]),
        (["- …", "+ …"], ["- …", "+ …"]),
        ([], []),
    ],
)
def test_words_that_differ_are_marked(lines: list[str], told: list[str]) -> None:
    assert [shown(line) for line in mark_words(lines)] == told


def test_of_a_long_line_what_stands_beside_the_change_is_shown() -> None:
    words = [f"word{number}" for number in range(2_000)]
    old = " ".join(words)
    words[900] = "OTHER"
    went, came = mark_words([f"- {old}", f"+ {' '.join(words)}"])
    assert [piece.text for piece in came.pieces if piece.differs] == [" OTHER"]
    assert "word899 OTHER word901" in came.text and len(came.text) < 300
    assert went.text.count("…") == came.text.count("…") == 2


def test_lines_are_told_in_their_order() -> None:
    old = ["title", "a", "b", "c", "", "d"]
    new = ["title", "a", "x", "c", "y", "d", ""]
    assert list(signed_lines(old, new)) == ["- b", "+ x", "+ y"]
