"""The attributes of a start tag, as far as they hint at what an element is."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.reading.blocks.class_words import HIDDEN, hints_in
from trapline.reading.blocks.element_traits import role_traits
from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

_CLASS: Final = np.frombuffer(b"class", np.uint8)
_ID: Final = np.frombuffer(b"id", np.uint8)
_ROLE: Final = np.frombuffer(b"role", np.uint8)
_PROPERTY: Final = np.frombuffer(b"itemprop", np.uint8)
_STYLE: Final = np.frombuffer(b"style", np.uint8)
_NOT_SHOWN: Final = np.frombuffer(b"hidden", np.uint8)
_DISPLAY: Final = np.frombuffer(b"display:", np.uint8)
_NONE: Final = np.frombuffer(b"none", np.uint8)


@bare_kernel
def read_attributes(html: Bytes, at: int) -> tuple[int, np.uint64, int]:
    """(the place after the tag, the hints in it, the traits by its role), from the end of its
    name.
    """
    hints = np.uint64(0)
    traits = 0
    while at < html.size and html[at] != 62:  # >
        begin = at
        while at < html.size and html[at] > 32 and html[at] not in (61, 62):  # = >
            at += 1
        end = at
        at += end == begin
        if end + 1 < html.size and html[end] == 61 and html[end + 1] == 34:  # ="
            at = end + 2
            while at < html.size and html[at] != 34:
                at += 1
            hints |= _hints_of(html, begin, end, at)
            if is_word(html, begin, end, _ROLE):
                traits |= role_traits(html, end + 2, at)
            at += 1
    return at + 1, hints, traits


@bare_kernel
def _hints_of(html: Bytes, begin: int, end: int, value_end: int) -> np.uint64:
    """The hints of one attribute, by its name, which stands from `begin` to `end`."""
    first = html[begin]
    if first in (99, 105):  # c i
        names = (
            is_word(html, begin, end, _CLASS)
            or is_word(html, begin, end, _ID)
            or is_word(html, begin, end, _PROPERTY)
        )
        return hints_in(html, end + 2, value_end) if names else np.uint64(0)
    if first == 104 and is_word(html, begin, end, _NOT_SHOWN):
        return HIDDEN
    if first == 115 and is_word(html, begin, end, _STYLE):
        return HIDDEN * np.uint64(_is_undisplayed(html, end + 2, value_end))
    return np.uint64(0)


@bare_kernel
def is_word(html: Bytes, begin: int, end: int, word: Bytes) -> bool:
    """Whether a word stands there."""
    if end - begin != word.size or end > html.size:
        return False
    for place in range(word.size):
        if html[begin + place] != word[place]:
            return False
    return True


@bare_kernel
def _is_undisplayed(html: Bytes, begin: int, end: int) -> bool:
    for at in range(begin, end - _DISPLAY.size - _NONE.size + 1):
        after = at + _DISPLAY.size
        if html[at] == 100 and is_word(html, at, after, _DISPLAY):
            after += html[after] == 32
            return is_word(html, after, after + _NONE.size, _NONE)
    return False
