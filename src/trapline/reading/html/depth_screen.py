"""A first look at how deep a document is: its tags counted by a kernel, where they are written
plainly.

It does what the careful walk of html_tangle.py does, some ten times as fast, as long as there is
nothing but tags with plain names, attributes, comments, raw texts (scripts, style sheets, titles)
and plain drawings. At a formula, an unclosed quote, or anything else that asks for care it gives
up, and the careful walk decides. It never calls a document shallow that the careful walk would call
deep.

>>> is_shallow(b"<p>One <b>two</b>" * 9, 3, 1), is_shallow(b"<div>" * 9, 3, 1), is_shallow(b"<math></math>", 3, 1)
(True, False, False)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel, kernel

Bytes = NDArray[np.uint8]
Names = NDArray[np.uint64]
Traits = NDArray[np.int64]

_BASE: Final = 40
# signs of a name: 40^12 < 2^64, so that different names have different numbers
_LONGEST: Final = 12
_SIGNS: Final = "\0abcdefghijklmnopqrstuvwxyz0123456789-_:"
_DIGITS: Final = np.array(
    [
        _SIGNS.find(chr(c).lower()) if chr(c).isalnum() or chr(c) in "-_:" else 0
        for c in range(128)
    ]
    + [0] * 128,
    np.uint64,
)
_ROOM: Final = 256  # of the table of known names: most of it is free

# What is to be known of a name. An element that may be left open ends others of these kinds right
# above it.
(
    _VOID,
    _FORMATTING,
    _RAW,
    _CELL,
    _PARAGRAPH,
    _TERM,
    _ITEM,
    _OPTION,
    _DRAWING,
    _DRAWN,
    _UNUSUAL,
) = (1 << bit for bit in range(11))
_MAY_STAY_OPEN: Final = _CELL | _PARAGRAPH | _TERM | _ITEM | _OPTION
_KINDS: Final = {
    "area base br col embed hr img input link meta param source track wbr": _VOID,
    "a b big code em font i nobr s small strike strong tt u": _FORMATTING,
    "script style textarea title xmp iframe noembed noframes": _RAW,
    "td th tr tbody thead tfoot": _CELL,
    "p": _PARAGRAPH,
    "dt dd": _TERM,
    "li": _ITEM,
    "option": _OPTION,
    "svg": _DRAWING,
    (
        "g defs symbol use path rect circle ellipse line polyline polygon text tspan image marker "
        "mask pattern"
    ): _DRAWN,
    "stop clippath filter": _DRAWN,
    "math": _UNUSUAL,
}


def is_shallow(html: bytes, most_open: int, most_formatting: int) -> bool:
    """Whether for certain no more elements, or formatting elements, are open at once.

    Bytes are UTF-8.
    """
    return bool(
        _is_shallow(
            np.frombuffer(html, np.uint8),
            most_open,
            most_formatting,
            _KNOWN,
            _TRAITS,
            _DIGITS,
        )
    )


def _number(name: str) -> int:
    value = 0
    for sign in name:
        value = value * _BASE + _SIGNS.index(sign)
    return value


def _tables(kinds: Iterable[tuple[str, int]]) -> tuple[Names, Traits]:
    """The numbers of names and what is known of them, as a hash table with open addressing."""
    known = np.zeros(_ROOM, np.uint64)
    traits = np.zeros(_ROOM, np.int64)
    for names, trait in kinds:
        for number in map(_number, names.split()):
            slot = number % (_ROOM - 1)
            while known[slot]:
                slot = (slot + 1) % _ROOM
            known[slot] = number
            traits[slot] = trait
    return known, traits


_KNOWN, _TRAITS = _tables(_KINDS.items())


@kernel
def _is_shallow(
    html: Bytes,
    most_open: int,
    most_formatting: int,
    known: Names,
    traits: Traits,
    digits: Names,
) -> bool:
    stack = np.zeros(most_open + 2, np.uint64)
    kinds = np.zeros(most_open + 2, np.int64)
    height = formatting = at = 0
    drawing = False
    while True:
        start = _next_tag(html, at, drawing)
        if start < 0 or start == html.size:
            return start == html.size
        ends = html[start + 1] == 47
        name, at = _name(html, start + 1 + ends, digits)
        kind = _kind(name, known, traits)
        at = _tag_end(html, at)
        if kind == _RAW and at >= 0 and not ends:
            at = _raw_end(html, start, at)
        if (
            at < 0
            or kind == _UNUSUAL
            or (drawing and kind != _DRAWN and not (kind == _DRAWING and ends))
        ):
            return False
        stroke = (
            not ends
            and kind & (_DRAWN | _DRAWING)
            and _is_self_closed(html, start, digits)
        )
        if kind == _DRAWING:
            drawing = not (ends or stroke or html[start + 4] == 47)
        if ends:
            closed = _closed(stack, kinds, height, name)
            formatting -= kind == _FORMATTING and closed < height
            height = closed
        elif not (kind & (_RAW | _VOID) or (drawing and stroke)):
            while height and kinds[height - 1] & _ended_by(kind):
                height -= 1
            stack[height] = name
            kinds[height] = kind
            height += 1
            formatting += kind == _FORMATTING
            if height > most_open or formatting > most_formatting:
                return False


@bare_kernel
def _next_tag(html: Bytes, at: int, drawing: bool) -> int:
    """Where the next tag begins that has a name; −1 = something in a drawing asks for care."""
    size = html.size
    while at + 1 < size:
        if html[at] != 60:
            at += 1
            continue
        mark = html[at + 1]
        first = html[at + 2] if mark == 47 and at + 2 < size else mark
        if 97 <= first | 32 <= 122:
            return at
        if drawing and mark == 33 and at + 2 < size and html[at + 2] == 91:
            return -1
        at = _mark_end(html, at) if mark in (47, 33, 63) else at + 1
    return size


@bare_kernel
def _is_self_closed(html: Bytes, start: int, digits: Names) -> bool:
    """Whether a tag is written with care, and closed by its stroke."""
    at = start + 1
    while 97 <= html[at] | 32 <= 122:
        at += 1
    while True:
        after = _skipped(html, at)
        if html[after] == 47:
            return bool(html[after + 1] == 62)
        at = after
        while digits[html[at]] != 0 or html[at] == 46:
            at += 1
        if at == after or not _is_space(html[after - 1]):
            return False
        if html[at] == 61:
            if html[at + 1] not in (34, 39):
                return False
            at = _value_end(html, at + 1)


@bare_kernel
def _closed(stack: Names, kinds: Traits, height: int, name: np.uint64) -> int:
    """How many stay open when one is closed, together with the items in it that nobody closed."""
    top = height - 1
    while top >= 0 and stack[top] != name and kinds[top] & _MAY_STAY_OPEN:
        top -= 1
    return top if top >= 0 and stack[top] == name else height


@bare_kernel
def _ended_by(kind: int) -> int:
    """The kinds of elements that end where one of this kind begins."""
    if kind & (_CELL | _TERM | _ITEM):
        return kind | _PARAGRAPH
    return kind & (_PARAGRAPH | _OPTION)


@bare_kernel
def _is_space(sign: int) -> bool:
    return sign in (32, 10, 9, 13, 12)


@bare_kernel
def _ends_name(sign: int) -> bool:
    return sign in (47, 62) or _is_space(sign)


@bare_kernel
def _name(html: Bytes, at: int, digits: Names) -> tuple[np.uint64, int]:
    """(the number of the name that begins here, where it ends); 0 = it is too long,
    or not plain.
    """
    number = np.uint64(0)
    begin = at
    while at < html.size and not _ends_name(html[at]):
        digit = digits[html[at]]
        if digit == 0 or at - begin >= _LONGEST:
            return np.uint64(0), at
        number = number * np.uint64(_BASE) + digit
        at += 1
    return number, at


@bare_kernel
def _kind(name: np.uint64, known: Names, traits: Traits) -> int:
    if name == 0:
        return _UNUSUAL
    slot = np.int64(name % np.uint64(_ROOM - 1))
    while known[slot] != 0:
        if known[slot] == name:
            return int(traits[slot])
        slot = (slot + 1) % _ROOM
    return 0


@bare_kernel
def _tag_end(html: Bytes, at: int) -> int:
    """After the ">" that ends a tag, told from those in its attributes; −1 = there is none."""
    size = html.size
    while at < size:
        here = html[at]
        if here == 62:
            return at + 1
        at += 1
        if here == 47 or _is_space(here):
            continue
        while at < size and html[at] != 61 and not _ends_name(html[at]):
            at += 1
        after = _skipped(html, at)
        if after < size and html[after] == 61:
            at = _value_end(html, _skipped(html, after + 1))
            if at < 0:
                return -1
    return -1


@bare_kernel
def _skipped(html: Bytes, at: int) -> int:
    while at < html.size and _is_space(html[at]):
        at += 1
    return at


@bare_kernel
def _value_end(html: Bytes, at: int) -> int:
    """Where the value of an attribute ends; −1 = it does not."""
    size = html.size
    if at >= size:
        return -1
    quote = html[at]
    if quote in (34, 39):
        at += 1
        while at < size and html[at] != quote:
            at += 1
        return at + 1 if at < size else -1
    while at < size and not (_is_space(html[at]) or html[at] == 62):
        at += 1
    return at


@bare_kernel
def _mark_end(html: Bytes, start: int) -> int:
    """Where a comment ends, or what passes for one."""
    size = html.size
    at = start + 4
    if at > size or not (
        html[start + 1] == 33 and html[start + 2] == 45 and html[start + 3] == 45
    ):
        at = start + 2
        while at < size and html[at] != 62:
            at += 1
        return at + 1
    if at < size and html[at] == 62:
        return at + 1
    if at + 1 < size and html[at] == 45 and html[at + 1] == 62:
        return at + 2
    while at < size:
        if html[at] == 62 and (
            (html[at - 1] == 45 and html[at - 2] == 45 and at - 2 >= start + 4)
            or (
                html[at - 1] == 33
                and html[at - 2] == 45
                and html[at - 3] == 45
                and at - 3 >= start + 4
            )
        ):
            return at + 1
        at += 1
    return size


@bare_kernel
def _raw_end(html: Bytes, start: int, at: int) -> int:
    """After the "<" of the end tag of a script, a style sheet …; −1 = a script in a comment in it
    asks for care.
    """
    size = html.size
    begin = start + 1
    length = 0
    noted = False
    while not _ends_name(html[begin + length]):
        length += 1
    while at < size:
        if html[at] == 60 and at + 2 < size:
            noted |= html[at + 1] == 33 and html[at + 2] == 45
            if noted and html[at + 1] | 32 == 115:
                return -1
            if html[at + 1] == 47 and at + 2 + length < size:
                same = 0
                while (
                    same < length
                    and html[at + 2 + same] | 32 == html[begin + same] | 32
                ):
                    same += 1
                after = html[at + 2 + length]
                if same == length and _ends_name(after):
                    return at + 1
        at += 1
    return size
