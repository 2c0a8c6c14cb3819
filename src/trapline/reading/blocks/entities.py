"""Signs that a page writes with others, such as &eacute; or &#233;, by the table of HTML."""

from __future__ import annotations

from html.entities import html5
from typing import Final

import numpy as np

from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

_ROOM: Final = 8192  # of the table of names: most of it is free
_LONGEST: Final = 32  # letters of a name
_PRIME: Final = 1_000_003
_MASK: Final = (1 << 31) - 1
_SIGNS: Final = 6  # bytes of what a name stands for
_UNKNOWN: Final = np.frombuffer("\N{REPLACEMENT CHARACTER}".encode(), np.uint8)
# &#128; to &#159; are what Windows wrote there
_WINDOWS: Final = np.array(
    [ord(bytes([code]).decode("cp1252", "replace")) for code in range(128, 160)]
)


def _hash(name: str) -> int:
    value = len(name)
    for letter in name:
        value = (value * _PRIME + ord(letter)) & _MASK
    return value


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """Hashes of names, and the bytes that they stand for; open addressing, 0 = free."""
    hashes = np.zeros(_ROOM, np.int64)
    signs = np.zeros((_ROOM, _SIGNS), np.uint8)
    for name, sign in html5.items():
        code = _hash(name)
        slot = code % _ROOM
        while hashes[slot] and hashes[slot] != code:
            slot = (slot + 1) % _ROOM
        data = sign.encode()[:_SIGNS]
        hashes[slot] = code
        signs[slot, : len(data)] = list(data)
    return hashes, signs


_HASHES, _ENTITIES = _tables()


@bare_kernel
def write_entity(html: Bytes, at: int, letters: Bytes, size: int) -> tuple[int, int]:
    """Write what an "&" begins. Returns (how many bytes are read, how many written)."""
    if at + 2 < html.size and html[at + 1] == 35:  # #
        return _write_number(html, at, letters, size)
    end = at + 1
    code = 0
    while end < min(html.size, at + _LONGEST) and _is_wordy(html[end]):
        end += 1
    for closed in range(1, -1, -1):
        if closed and (end >= html.size or html[end] != 59):  # ;
            continue
        code = end + closed - at - 1
        for place in range(at + 1, end + closed):
            code = (code * _PRIME + html[place]) & _MASK
        slot = code % _ROOM
        while _HASHES[slot] and _HASHES[slot] != code:
            slot = (slot + 1) % _ROOM
        if _HASHES[slot]:
            written = 0
            while written < _SIGNS and _ENTITIES[slot, written]:
                letters[size + written] = _ENTITIES[slot, written]
                written += 1
            return end + closed - at, written
    letters[size] = 38
    return 1, 1


@bare_kernel
def _is_wordy(code: int) -> bool:
    return 97 <= code | 32 <= 122 or 48 <= code <= 57


@bare_kernel
def _write_number(html: Bytes, at: int, letters: Bytes, size: int) -> tuple[int, int]:
    end = at + 2
    base = 10
    if html[end] | 32 == 120:  # x
        base = 16
        end += 1
    begin = end
    code = 0
    while end < html.size and _digit(html[end]) < base:
        code = min(code * base + _digit(html[end]), 1 << 30)
        end += 1
    if end == begin:
        letters[size] = 38
        return 1, 1
    end += end < html.size and html[end] == 59
    return end - at, _write_code(code, letters, size)


@bare_kernel
def _digit(code: int) -> int:
    if 48 <= code <= 57:
        return code - 48
    return (code | 32) - 87 if 97 <= code | 32 <= 102 else 99


@bare_kernel
def _write_code(code: int, letters: Bytes, size: int) -> int:
    """Write a code point in UTF-8. Returns how many bytes that is."""
    if 128 <= code < 160:
        code = _WINDOWS[code - 128]
    if code < 128:
        letters[size] = max(code, 32)
        return 1
    if code < 0x800:
        letters[size] = 0xC0 | code >> 6
        letters[size + 1] = 0x80 | code & 63
        return 2
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        code = 0xFFFD
    if code < 0x10000:
        letters[size] = 0xE0 | code >> 12
        letters[size + 1] = 0x80 | code >> 6 & 63
        letters[size + 2] = 0x80 | code & 63
        return 3
    letters[size] = 0xF0 | code >> 18
    letters[size + 1] = 0x80 | code >> 12 & 63
    letters[size + 2] = 0x80 | code >> 6 & 63
    letters[size + 3] = 0x80 | code & 63
    return 4
