"""What the bytes of a UTF-8 text are to a reader: letters, spaces, ends of sentences."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

SPACE: Final = 1
STOP: Final = 2
COMMA: Final = 4
CAPITAL: Final = 8
WIDE: Final = 16  # begins an ideograph, or a sign of a script that is as dense
LEAD: Final = 32  # begins a sign, whatever it is
ODD: Final = 64  # what it is depends on what follows


def _kind(code: int) -> int:
    if code <= 32:  # control characters are no letters either
        return SPACE
    if code >= 0x80:
        odd = code in (0xC2, 0xE1, 0xE2, 0xE3, 0xEF)
        return (code >= 0xC0) * LEAD | (code >= 0xE3) * WIDE | odd * ODD
    sign = chr(code)
    kind = LEAD
    kind |= (sign in "&<") * ODD
    kind |= (sign in ".!?") * STOP
    kind |= (sign in ",;:") * COMMA
    kind |= sign.isupper() * CAPITAL
    return kind


KINDS: Final = np.array([_kind(code) for code in range(256)], np.uint8)


def _count(kind: int) -> int:
    """What a sign adds to four counters of 16 bits: width, stops, commas, capitals."""
    width = bool(kind & LEAD) + 2 * bool(kind & WIDE)
    others = bool(kind & STOP) << 16 | bool(kind & COMMA) << 32
    return width | others | bool(kind & CAPITAL) << 48


COUNTS: Final = np.array([_count(kind) for kind in range(2 * ODD)], np.uint64)


@bare_kernel
def space_size(html: Bytes, at: int) -> int:
    """How many bytes a space beyond ASCII has that stands here; 0 = there is none."""
    code = html[at]
    if code == 0xC2 and at + 1 < html.size:
        return 2 * (html[at + 1] in (0xA0, 0x85))
    if code == 0xEF or at + 2 >= html.size:
        return 0
    sign = html[at + 1] * 256 + html[at + 2]
    if code == 0xE2:  # U+2000 to U+200B, the ends of lines, and two narrow ones
        spaces = 0x8080 <= sign <= 0x808B or sign in (0x80A8, 0x80A9, 0x80AF, 0x819F)
        return 3 * int(spaces)
    return 3 * int(sign == (0x8080 if code == 0xE3 else 0x9A80))


@bare_kernel
def wide_kind(html: Bytes, at: int) -> int:
    """Whether a wide sign ends a sentence, or a part of one."""
    if at + 2 >= html.size:
        return 0
    sign = html[at + 1] * 256 + html[at + 2]
    if html[at] == 0xE3:
        return STOP * int(sign == 0x8082) | COMMA * int(sign == 0x8081)
    if html[at] == 0xEF:
        return STOP * int(sign in (0xBC81, 0xBC9F)) | COMMA * int(sign == 0xBC8C)
    return 0
