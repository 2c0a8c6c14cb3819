"""The attributes of a start tag, as far as they hint at what an element is."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.reading.blocks.class_words import HIDDEN, hints_in
from trapline.reading.blocks.element_traits import role_traits
from trapline.reading.html.element_kinds import Bytes
from trapline.reading.html.tag_syntax import attribute_end, skip_spaces, value_end
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
    name. It goes as `tag_end` does.
    """
    hints = np.uint64(0)
    traits = 0
    while at < html.size:
        here = html[at]
        if here == 62:  # >
            return at + 1, hints, traits
        begin = at
        at += 1
        if here == 47 or here <= 32:  # /
            continue
        at = attribute_end(html, at)
        sign = skip_spaces(html, at)
        value = at
        end = at
        if sign < html.size and html[sign] == 61:  # =
            value = skip_spaces(html, sign + 1)
            after = value_end(html, value)
            # a quote that nobody closes is part of a name
            end = after if after >= 0 else at
        hints |= _hints_of(html, begin, at, value, end)
        if is_word(html, begin, at, _ROLE):
            quoted = value < html.size and html[value] in (34, 39)
            traits |= role_traits(html, value + quoted, end - quoted)
        at = end
    return html.size, hints, traits


@bare_kernel
def find_value(html: Bytes, at: int, name: Bytes) -> tuple[int, int]:
    """Where the value of an attribute begins and ends, from the end of the name of its tag; the
    same place twice = there is none.
    """
    while at < html.size and html[at] != 62:  # >
        begin = at
        at += 1
        if html[begin] == 47 or html[begin] <= 32:  # /
            continue
        at = attribute_end(html, at)
        sign = skip_spaces(html, at)
        if sign < html.size and html[sign] == 61:  # =
            value = skip_spaces(html, sign + 1)
            end = value_end(html, value)
            if end >= 0:
                if is_word(html, begin, at, name):
                    quoted = html[value] in (34, 39)
                    return value + quoted, end - quoted
                at = end
    return at, at


@bare_kernel
def _hints_of(
    html: Bytes, begin: int, end: int, value: int, value_end: int
) -> np.uint64:
    """The hints of one attribute, by its name, which stands from `begin` to `end`."""
    first = html[begin] | 32
    if first in (99, 105):  # c i
        names = (
            is_word(html, begin, end, _CLASS)
            or is_word(html, begin, end, _ID)
            or is_word(html, begin, end, _PROPERTY)
        )
        return hints_in(html, value, value_end) if names else np.uint64(0)
    if first == 104 and is_word(html, begin, end, _NOT_SHOWN):  # h
        return HIDDEN
    if first == 115 and is_word(html, begin, end, _STYLE):  # s
        return HIDDEN * np.uint64(_is_undisplayed(html, value, value_end))
    return np.uint64(0)


@bare_kernel
def is_word(html: Bytes, begin: int, end: int, word: Bytes) -> bool:
    """Whether a word of small letters stands there, in small or capital letters."""
    if end - begin != word.size or end > html.size:
        return False
    for place in range(word.size):  # noqa: SIM110 (kernels know no generator)
        if html[begin + place] | 32 != word[place]:
            return False
    return True


@bare_kernel
def _is_undisplayed(html: Bytes, begin: int, end: int) -> bool:
    for at in range(begin, end - _DISPLAY.size - _NONE.size + 1):
        after = at + _DISPLAY.size
        if html[at] | 32 == 100 and is_word(html, at, after, _DISPLAY):
            after += html[after] == 32
            return is_word(html, after, after + _NONE.size, _NONE)
    return False
