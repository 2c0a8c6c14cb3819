"""How a document changed: how many words came and went, wherever in it they stand, and which
lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from trapline.collection.changed_lines import changed_lines
from trapline.core.records import Diff, Page, Turn

# Letters that are looked at: a step of the robot must not take long. Of a text that is new,
LONGEST: Final = 500_000
LONGEST_CHANGE: Final = (
    30_000  # and of what differs, where words are compared one by one.
)
_ASCII: Final = bytes(range(128))
# 1 = part of a word
_MARKS: Final = bytes(not chr(letter).isspace() for letter in range(128)) + b"\1" * 128
# Spaces beyond ASCII, in UTF-8: hardly any text has them.
_ODD_SPACES: Final = re.compile(
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)


def difference(
    old: Page | None, new: Page | None, page: int, at_s: float
) -> Diff | None:
    """The note of a change from `old` to `new`; None = there was nothing, and there is nothing, for
    a reader.
    """
    added, removed, lines = _changes(old, new)
    if not (added or removed or count_words(new)):
        return None
    turn = Turn.NEW if old is None else Turn.GONE if new is None else Turn.CHANGED
    return Diff(page, at_s, turn, added, removed, lines)


def _changes(old: Page | None, new: Page | None) -> tuple[int, int, str]:
    """(words added, words removed, lines that differ)"""
    if old is None or new is None:  # as of nearly all pages of a first crawl
        return count_words(new), count_words(old), ""
    before = _text(old)
    after = _text(new)
    begin, end = _differing_range(before, after)
    words_before = before[begin : len(before) - end][:LONGEST_CHANGE].split()
    words_after = after[begin : len(after) - end][:LONGEST_CHANGE].split()
    added, removed = _changed_words(words_before, words_after)
    return added, removed, changed_lines(before, after, begin, end)


def lines_between(old: str, new: str) -> str:
    """Which lines of two texts differ, as it is told of a change: shortly, and in little time.

    >>> lines_between("Moons\\nthere is one", "Moons\\nthere are two")
    '- there is one\\n+ there are two'
    """
    return changed_lines(old, new, *_differing_range(old, new))


def count_words(document: Page | None) -> int:
    """How many words there are, seven times faster than by making them."""
    if document is None:
        return 0
    text = f"{document.title} {document.text[:LONGEST]}"
    letters = f" {text}".encode("utf-8", "replace")
    if _ODD_SPACES.search(letters.translate(None, _ASCII)):
        return len(text.split())
    marks = np.frombuffer(letters.translate(_MARKS), np.uint8)
    return int(np.count_nonzero(marks[1:] > marks[:-1]))


def _text(document: Page) -> str:
    return f"{document.title}\n{document.text}"


def _differing_range(old: str, new: str) -> tuple[int, int]:
    """How many letters both begin with alike, and how many they end with, in whole words.

    >>> _differing_range("one two three four", "one two 3 four")
    (8, 4)
    """
    begin = _same(lambda size: old[:size] == new[:size], min(len(old), len(new)))
    while begin > 0 and not old[begin - 1].isspace():
        begin -= 1
    most = min(len(old), len(new)) - begin
    end = _same(lambda size: old[len(old) - size :] == new[len(new) - size :], most)
    while end > 0 and not old[len(old) - end].isspace():
        end -= 1
    return begin, max(end - 1, 0)


def _same(holds: Callable[[int], bool], most: int) -> int:
    """The largest size for which it holds, up to `most`, by halving: it holds for all smaller
    ones.
    """
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least


def _changed_words(before: list[str], after: list[str]) -> tuple[int, int]:
    """(words added, words removed), each as often as it occurs; the order does not count.

    Linear in the words.

    >>> _changed_words("a star and a star".split(), "a star and the sun".split())
    (2, 2)
    """
    old = Counter(before)
    new = Counter(after)
    return (new - old).total(), (old - new).total()
