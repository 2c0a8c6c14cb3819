"""Words of a document are counted as `str.split` would, whatever stands between them."""

from __future__ import annotations

import pytest

from trapline.collection.differences import difference
from trapline.core.records import Page, Turn


def _page(title: str, text: str) -> Page:
    return Page(1, "http://a/", title, text, 1.0, 1, "", "", 0.0, 0.0)


SPACES = [chr(code) for code in range(0x110000) if chr(code).isspace()]


@pytest.mark.parametrize("space", SPACES)
def test_every_space_parts_words(space: str) -> None:
    text = f"{space}eins{space}{space}zwei – drei\N{ZERO WIDTH SPACE}x{space}"
    note = difference(None, _page("Titel", text), 1, 5.0)
    assert note is not None
    assert (note.turn, note.added, note.removed) == (
        Turn.NEW,
        len(f"Titel {text}".split()),
        0,
    )


@pytest.mark.parametrize(
    ("title", "text"), [("", ""), (" ", "\n\t"), ("\xa0", "\u3000")]
)
def test_a_document_without_words_is_no_news(title: str, text: str) -> None:
    blank = _page(title, text)
    assert difference(None, blank, 1, 5.0) is None
    assert difference(blank, None, 1, 5.0) is None
    assert difference(blank, blank, 1, 5.0) is None


def test_what_goes_is_counted_too_and_other_marks_of_the_same_words_are_a_note() -> (
    None
):
    gone = difference(_page("a", "b c"), None, 1, 5.0)
    same = difference(_page("a", "b"), _page("b", "a"), 1, 5.0)
    assert gone is not None
    assert (gone.turn, gone.added, gone.removed) == (Turn.GONE, 0, 3)
    assert same is not None
    assert (same.turn, same.added, same.removed) == (Turn.CHANGED, 0, 0)
