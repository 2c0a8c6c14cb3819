"""What is seen of a number in its place: the words before it, the rest of its line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from trapline.reading.identity.calendar_words import DAYS, FILLERS, MONTHS, TODAY
from trapline.reading.identity.counter_words import (
    ABBREVIATED,
    AGO,
    COUNTED,
    LEADS,
    ONLINE,
    SO_FAR,
    TAILS,
    UNITS,
)

# What a judge answers who is shown a number: how many of the words before it are cut with it, or
KEEP: Final = -1  # that it counts,
LINE: Final = -2  # that nothing of its line does.

NEAR: Final = 70  # characters beside a number that may explain it
SHORT_LINE: Final = 4  # words: it may be the name of what the next line holds

_PUNCTUATION: Final = " .,:;()[]#–—-|•·“”\"'=$"
_ENDS: Final = frozenset(".!?|•。")
_MARKS: Final = frozenset(":·|•–—-,;.)(!?[#/★*&+>»\"'")


class Sight:
    """A number that a rule's pattern was found at; the rest is looked at when it is asked for.

    `text` is one line, `lines` the same with its line ends.
    """

    __slots__ = ("_before", "_left", "_right", "at", "found", "lines")

    def __init__(self, at: int, lines: str) -> None:
        self.at = at
        self.lines = lines
        self._before: list[str] | None = None
        self._left: str | None = None

    def focus(self, found: re.Match[str]) -> Sight:
        """The same number, as another pattern sees it."""
        self.found = found
        self._right: str | None = None
        return self

    @property
    def left(self) -> str:
        """Of its line, as it stands."""
        if self._left is None:
            begin = max(0, self.at - NEAR)
            begin = max(begin, self.lines.rfind("\n", begin, self.at) + 1)
            self._left = self.lines[begin : self.at]
        return self._left

    @property
    def right(self) -> str:
        """The rest of its line, behind what was found."""
        if self._right is None:
            end = self.found.end()
            line_end = self.lines.find("\n", end, end + NEAR)
            self._right = self.lines[end : line_end if line_end >= 0 else end + NEAR]
        return self._right

    @property
    def before(self) -> list[str]:
        """The words of its sentence, small and without punctuation."""
        if self._before is None:
            self._before = words_of_sentence(self.left)
            start = self.at - len(self.left)
            if start and all(map(is_date_word, self._before)):
                self._before = _name_above(self.lines, start) + self._before
        return self._before

    @property
    def alone(self) -> bool:
        """Whether nothing but words of dates stands beside it in its line."""
        return not self.right.strip(_PUNCTUATION) and all(
            word in TODAY or is_date_word(word) for word in self.before
        )

    @property
    def is_label(self) -> bool:
        """Whether it stands by itself, as on a label, and not in a sentence."""
        return _ends_left(self.left.rstrip()) and self.ends_label

    @property
    def ends_label(self) -> bool:
        """Whether no sentence goes on behind it."""
        return begins_anew(self.right.lstrip())

    def has_before(self, vocabulary: frozenset[str], reach: int) -> bool:
        """Whether one of the last words is in a vocabulary, or two of them as one-two."""
        return has_word(self.before[-reach:], vocabulary)

    def has_after(self, vocabulary: frozenset[str], reach: int) -> bool:
        words = self.right.lower().split(maxsplit=reach)[:reach]
        return has_word([word.strip(_PUNCTUATION) for word in words], vocabulary)


def has_word(words: list[str], vocabulary: frozenset[str]) -> bool:
    return not vocabulary.isdisjoint(words) or not vocabulary.isdisjoint(
        map("-".join, pairwise(words))
    )


def words_of_sentence(left: str) -> list[str]:
    """The words at the end that belong to one sentence."""
    words = left.rstrip("([# ").lower().split()
    for index in range(len(words) - 1, -1, -1):
        if _ends_sentence(words[index]):
            words = words[index + 1 :]
            break
    return [word.strip(_PUNCTUATION) for word in words]


def is_date_word(word: str) -> bool:
    """Whether a word belongs to a date: weekday, month, *on*, *the*."""
    return word in DAYS or word in MONTHS or word in FILLERS or not word


def _name_above(lines: str, start: int) -> list[str]:
    """The line before, if it is the name of this one: *Updated* beside a date in a table."""
    if lines[start - 1] != "\n":
        return []
    above = lines[max(0, start - 1 - NEAR) : start - 1].rpartition("\n")[2].lower()
    words = above.split()
    named = bool(words) and (len(words) <= SHORT_LINE or above.endswith(":"))
    return [word.strip(_PUNCTUATION) for word in words] if named else []


def _ends_sentence(word: str) -> bool:
    return (
        word[-1] in _ENDS
        and word not in ABBREVIATED
        and not is_date_word(word.rstrip("."))
        and not word[:-1].isdigit()
    )


def _ends_left(left: str) -> bool:
    if not left or left[-1] in _MARKS:
        return True
    first, _, last = left.rpartition(" ")
    small = last.lower()
    known = small in LEADS or small in COUNTED or small in UNITS or small in AGO
    if known or any(map(str.isdigit, last)):
        return True
    return last[0].isupper() and bool(first) and small not in MONTHS


def begins_anew(right: str) -> bool:
    """Whether what follows a count is not the rest of its sentence."""
    word = right.partition(" ")[0].strip(_PUNCTUATION).lower()
    if not word or not right[0].isalpha():
        return True
    known = word in TAILS or word in ONLINE or word in COUNTED or word in SO_FAR
    return known or right[0].isupper()


def go_back(text: str, at: int, words: int) -> int:
    """Where the last words before a place begin."""
    for _ in range(words):
        at = text.rfind(" ", 0, max(at - 1, 0)) + 1
    return at
