"""Long pages in pieces, cut where a line ends if one does near there."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    text: str
    begin: int
    end: int  # where the next piece begins
    total: int  # characters of the whole


def piece_of(text: str, offset: int, limit: int) -> Piece:
    """
    >>> piece_of("one two\\nthree four", 0, 10)
    Piece(text='one two\\n', begin=0, end=8, total=18)
    >>> piece_of("one two", 99, 10)
    Piece(text='', begin=7, end=7, total=7)
    """
    total = len(text)
    begin = min(offset, total)
    end = min(begin + limit, total)
    if end < total:
        line = text.rfind("\n", begin + limit // 2, end)
        end = line + 1 if line >= 0 else end
    return Piece(text[begin:end], begin, end, total)
