"""The three messages of a CIFF file, as Protocol Buffers write them.

Only what this format needs: whole numbers that are not negative, texts, and one double. What is 0
or empty is left out, as every writer of proto3 does. Each message is written after its length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

VERSION: Final = 1  # of the format
# how a field is written, in the lowest bits of its key
_VARINT: Final = 0
_DOUBLE: Final = 1
_LENGTH_FIRST: Final = 2


@dataclass(frozen=True, slots=True)
class Header:
    terms: int
    documents: int
    words: int  # of all documents together
    description: str  # for people

    def message(self) -> bytes:
        mean = self.words / self.documents if self.documents else 0.0
        return delimit(
            _number(1, VERSION)
            + _number(2, self.terms)
            + _number(3, self.documents)
            + _number(4, self.terms)
            + _number(5, self.documents)
            + _number(6, self.words)
            + _double(7, mean)
            + _bytes(8, self.description.encode())
        )


def postings_message(term: str, documents: Iterable[int], counts: list[int]) -> bytes:
    """`documents` ascend; only the first is written as it is, the others as steps from the last."""
    steps = _steps(documents)
    postings = b"".join(map(_posting, steps, counts))
    return delimit(
        _bytes(1, term.encode())
        + _number(2, len(counts))
        + _number(3, sum(counts))
        + postings
    )


def document_message(number: int, name: str, words: int) -> bytes:
    return delimit(_number(1, number) + _bytes(2, name.encode()) + _number(3, words))


def delimit(message: bytes) -> bytes:
    return varint(len(message)) + message


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit says that more follow.

    >>> varint(1).hex(), varint(300).hex()
    ('01', 'ac02')
    """
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _steps(documents: Iterable[int]) -> list[int]:
    """
    >>> _steps([0, 3, 4, 9])
    [0, 3, 1, 5]
    """
    steps = []
    last = 0
    for document in documents:
        steps.append(document - last)
        last = document
    return steps


@lru_cache(100_000)  # most are near each other and few: the same again and again
def _posting(step: int, count: int) -> bytes:
    return _bytes(4, _number(1, step) + _number(2, count))


def _number(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + varint(value) if value else b""


def _double(field: int, value: float) -> bytes:
    return _key(field, _DOUBLE) + struct.pack("<d", value) if value else b""


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, _LENGTH_FIRST) + delimit(value) if value else b""


def _key(field: int, form: int) -> bytes:
    return varint(field << 3 | form)
