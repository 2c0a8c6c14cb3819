"""Kinds of HTML elements, as far as they tell how deep others are nested; for kernels."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel

Bytes = NDArray[np.uint8]
Names = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_BASE: Final = 40
# Signs of a name that are looked at: 40^12 < 2^64, so different names have different numbers. Only
# the names of two gradients are longer, and no other name begins like them.
_LONGEST: Final = 12
_SIGNS: Final = "\0abcdefghijklmnopqrstuvwxyz0123456789-_:"
DIGITS: Final = np.array(
    [max(0, _SIGNS.find(chr(code).lower())) for code in range(128)] + [0] * 128,
    np.uint64,
)
_ROOM: Final = 256  # of the table of known names: most of it is free

# Kinds of elements.
VOID: Final = 1 << 0
VOID_ANYWHERE: Final = 1 << 1  # also in drawings and formulas, because it ends them
FORMATTING: Final = 1 << 2
RAW: Final = 1 << 3
_CELL: Final = 1 << 4
_PARAGRAPH: Final = 1 << 5
_TERM: Final = 1 << 6
_ITEM: Final = 1 << 7
_OPTION: Final = 1 << 8
DRAWING: Final = 1 << 9
DRAWN: Final = 1 << 10  # while a drawing has nothing else in it, `/>` ends an element
FORMULA: Final = 1 << 11
MAY_STAY_OPEN: Final = _CELL | _PARAGRAPH | _TERM | _ITEM | _OPTION
_END_ANYWHERE: Final = _PARAGRAPH | _TERM | _ITEM
_KINDS: Final = {
    "area base col input link param source track wbr": VOID,
    "br embed hr img meta": VOID | VOID_ANYWHERE,
    "a b big code em font i nobr s small strike strong tt u": FORMATTING,
    "script style textarea title xmp iframe noembed noframes": RAW,
    "td th tr tbody thead tfoot": _CELL,
    "p": _PARAGRAPH,
    "dt dd": _TERM,
    "li": _ITEM,
    "option": _OPTION,
    "svg": DRAWING,
    "g defs symbol use path rect circle ellipse line polyline polygon text tspan": DRAWN,
    "image marker mask pattern stop clippath filter lineargradient radialgradient": DRAWN,
    "math": FORMULA,
}


def kind_tables(kinds: dict[str, int]) -> tuple[Names, Numbers]:
    """The numbers of known names and their kinds, as a hash table with open addressing."""
    known = np.zeros(_ROOM, np.uint64)
    traits = np.zeros(_ROOM, np.int64)
    for names, kind in kinds.items():
        for name in names.split():
            number = 0
            for sign in name[:_LONGEST]:
                number = number * _BASE + _SIGNS.index(sign)
            slot = number % (_ROOM - 1)
            while known[slot]:
                slot = (slot + 1) % _ROOM
            known[slot] = number
            traits[slot] = kind
    return known, traits


KNOWN, TRAITS = kind_tables(_KINDS)


@bare_kernel
def kind_of(
    html: Bytes, at: int, end: int, known: Names, traits: Numbers, digits: Names
) -> int:
    """The kind of the element whose name stands here; 0 = any other."""
    number = np.uint64(0)
    for place in range(at, min(end, at + _LONGEST)):
        digit = digits[html[place]]
        if digit == 0:
            return 0
        number = number * np.uint64(_BASE) + digit
    slot = np.int64(number % np.uint64(_ROOM - 1))
    while known[slot] != 0:
        if known[slot] == number:
            return int(traits[slot])
        slot = (slot + 1) % _ROOM
    return 0


@bare_kernel
def ended_by(kind: int, unsure: bool) -> int:
    """The kinds of elements that end where one of this kind begins.

    Their end tags may be left out.
    """
    if unsure:
        kind &= _END_ANYWHERE
    if kind & (_CELL | _TERM | _ITEM):
        return kind | _PARAGRAPH
    return kind & (_PARAGRAPH | _OPTION)
