"""A first look at all numbers of a text at once: which of them may be part of something that
changes by itself.

Most numbers are plain, and to try the rules on one (steady_text.py) takes microseconds. So a kernel
asks of each whether a word beside it begins with three letters that some rule asks for: a table
with an answer for each beginning. Where it says yes too often, the rules put it right.

>>> views = beginnings_of(["views"])
>>> find_candidates("Pages 3 and 17 views", views, views)
[12]
>>> find_candidates("on 2024-05-03", views, views)
[3]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import kernel

Codes = NDArray[np.uint32]
Table = NDArray[np.bool_]
Letters = NDArray[np.int64]
Places = NDArray[np.int64]

LONG: Final = 16  # characters of a word that may hold a mark

_LETTERED: Final = 0x700  # letters beyond begin no word of a rule
_IDEOGRAPHS: Final = (
    0x2E80,
    0xD800,
)  # scripts without spaces between words, and Korean
_LETTERS: Final = np.array(
    [ord(chr(c).lower()[0]) if chr(c).isalpha() else 0 for c in range(_LETTERED)],
    np.int64,
)
_WORDY: Final = np.array(
    [chr(c).isalnum() or chr(c) in "_-" for c in range(_LETTERED)], np.bool_
)
_PLACES: Final = 1 << 15
_FACTORS: Final = (1, 29, 29 * 29)
_MARGIN: Final = " " * 8  # so that looking a few places ahead needs no care


class Screened(NamedTuple):
    """What a first look finds."""

    aged: bool  # there may be an age in words, such as "just now"
    ideographs: bool  # there are letters of scripts without spaces
    candidates: list[int]


def find_candidates(text: str, after: Table, before: Table) -> list[int]:
    """Where numbers begin that may be part of something to cut, by the words around them."""
    return screen_text(text, after, before).candidates


def screen_text(text: str, after: Table, before: Table) -> Screened:
    codes = np.frombuffer(f"{text}{_MARGIN}".encode("utf-32-le", "replace"), np.uint32)
    aged, wide, found = _screen_numbers(codes, after, before, _LETTERS, _WORDY)
    return Screened(aged, wide, found.tolist())


def beginnings_of(words: Iterable[str]) -> Table:
    """The table of the first three letters of words."""
    table = np.zeros(_PLACES, np.bool_)
    for word in words:
        letters = takewhile(str.isalpha, word)
        slot = sum(
            ord(letter) * factor
            for letter, factor in zip(letters, _FACTORS, strict=False)
        )
        table[slot & (_PLACES - 1)] = True
    table[0] = False
    return table


@kernel
def _screen_numbers(
    codes: Codes, after: Table, before: Table, letters: Letters, wordy: Table
) -> tuple[bool, bool, Places]:
    found = _numbers(codes)
    count = begin = last = run = 0
    end = -1
    for at in found:
        if at < begin:  # the rest of a word that was given up
            continue
        if at > end:  # another word
            begin = _begin(codes, at)
            last = _begin(codes, begin - 1)
            (end, run) = _end(codes, begin, wordy)
        free = at == begin or codes[at - 1] & 127 in (35, 40, 91)  # # ( [
        if run >= LONG or (
            free
            and (
                end - begin >= LONG
                or after[_slot(codes, end + 1, letters)]
                or before[_slot(codes, last, letters)]
                or _has_shape(codes, at, end)
            )
        ):
            found[count] = at
            count += 1
        elif end - begin >= LONG:
            begin = end  # an expression of some language: so are its other numbers
    aged, wide = _look_over(codes)
    return aged, wide, found[:count]


@kernel
def _numbers(codes: Codes) -> Places:
    """Where numbers begin."""
    found = np.empty(codes.size // 2 + 2, np.int64)
    count = 0
    digit = False
    for at in range(codes.size):
        found[count] = at
        is_digit = (codes[at] >= 48) & (codes[at] <= 57)
        count += is_digit & (not digit)
        digit = is_digit
    return found[:count]


@kernel
def _look_over(codes: Codes) -> tuple[bool, bool]:
    """Whether " ago", "t now", " vor " or " il y" stands somewhere; whether ideographs do."""
    one = codes[:-4]
    two = codes[1:-3]
    three = codes[2:-2]
    four = codes[3:-1]
    five = codes[4:]
    aged = False
    wide = False
    for at in range(one.size):
        ago = (one[at] == 32) & (two[at] == 97) & (three[at] == 103) & (four[at] == 111)
        now = (
            (two[at] == 32)
            & (three[at] == 110)
            & (four[at] == 111)
            & (five[at] == 119)
            & (one[at] == 116)
        )
        vor = (
            (one[at] == 32)
            & (two[at] == 118)
            & (three[at] == 111)
            & (four[at] == 114)
            & (five[at] == 32)
        )
        ily = (
            (one[at] == 32)
            & (two[at] == 105)
            & (three[at] == 108)
            & (four[at] == 32)
            & (five[at] == 121)
        )
        aged |= ago | now | vor | ily
        wide |= (one[at] >= _IDEOGRAPHS[0]) & (one[at] < _IDEOGRAPHS[1])
    return aged, wide


@kernel
def _begin(codes: Codes, at: int) -> int:
    """Where the word begins that ends here or later."""
    while at > 0 and codes[at - 1] != 32:
        at -= 1
    return max(at, 0)


@kernel
def _end(codes: Codes, begin: int, wordy: Table) -> tuple[int, int]:
    """Where a word ends, and how long the longest piece of it is that may be a mark."""
    at = begin
    run = 0
    longest = 0
    while codes[at] != 32:
        run = run + 1 if codes[at] >= _LETTERED or wordy[codes[at]] else 0
        longest = max(longest, run)
        at += 1
    return at, longest


@kernel
def _slot(codes: Codes, at: int, letters: Letters) -> int:
    """Of the first three letters of the word that begins here: a place in a table; nothing counts
    after its end.
    """
    slot = 0
    for step, factor in enumerate(_FACTORS):
        code = codes[at + step]
        letter = letters[code] if code < _LETTERED else 0
        if letter == 0:
            break
        slot += letter * factor
    return slot & (_PLACES - 1)


@kernel
def _has_shape(codes: Codes, at: int, end: int) -> bool:
    """Whether a number begins like a date, a time, a year, an ordinal, or so many seconds."""
    sign = at
    while 48 <= codes[sign] <= 57:
        sign += 1
    digits = sign - at
    code = codes[sign]
    follows = 48 <= codes[sign + 1] <= 57
    if end - at >= 4 and (
        (codes[at] == 49 and codes[at + 1] == 57)
        or (codes[at] == 50 and codes[at + 1] == 48)
    ):
        return True
    if code in (58, 104):  # 12:30, 12h30
        return digits <= 2 and follows
    if code == 45 and digits <= 2 and codes[sign + 1] > 64:  # 3-May-2024
        return 8 <= end - at <= 12
    if 44 <= code <= 47:  # 3-5-24, 3/5/24, 3.5.24, 0.034s, 1066-10-14; not 3.5.2
        return follows and (digits == 4 or _goes_on(codes, sign + 2, min(at + 7, end)))
    return code in (109, 110, 114, 115, 116)  # ms, nd, rd, s, st, th


@kernel
def _goes_on(codes: Codes, at: int, end: int) -> bool:
    """Whether here is a letter, or a sign before two more digits."""
    for place in range(at, end):
        code = codes[place]
        one = codes[place + 1]
        two = codes[place + 2]
        if 97 <= code <= 122 or (
            45 <= code <= 47 and 48 <= one <= 57 and 48 <= two <= 57
        ):
            return True
    return False
