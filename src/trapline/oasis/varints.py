"""Whole numbers as bytes: small ones short (LEB128), whole arrays at once.

>>> unpack_numbers(pack_numbers(np.array([0, 127, 128, 1 << 40])), 4).tolist()
[0, 127, 128, 1099511627776]
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import DescriptionUnreadable

_MOST_BYTES: Final = 9  # of a number


def pack_numbers(numbers: ArrayLike) -> bytes:
    values = np.asarray(numbers, np.uint64)
    lengths = np.maximum(1, -(-_bit_lengths(values) // 7))
    ends = np.cumsum(lengths)
    out = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    starts = ends - lengths
    for place in range(int(lengths.max(initial=0))):
        has = lengths > place
        part = (values[has] >> np.uint64(7 * place)) & np.uint64(127)
        goes_on = (lengths[has] > place + 1).astype(np.uint8) << 7
        out[starts[has] + place] = part.astype(np.uint8) | goes_on
    return out.tobytes()


def unpack_numbers(packed: bytes, count: int) -> NDArray[np.uint64]:
    """Exactly `count` numbers, and nothing behind them."""
    data = np.frombuffer(packed, np.uint8)
    ends = np.flatnonzero(data < 128)
    if len(ends) != count or (len(data) and data[-1] >= 128):
        raise DescriptionUnreadable("its packed numbers are damaged")
    if not count:
        return np.empty(0, np.uint64)
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts + 1
    if int(lengths.max()) > _MOST_BYTES:
        raise DescriptionUnreadable("a packed number is too large")
    values = np.zeros(count, np.uint64)
    for place in range(int(lengths.max())):
        has = lengths > place
        part = (data[starts[has] + place] & 127).astype(np.uint64)
        values[has] |= part << np.uint64(7 * place)
    return values


def _bit_lengths(values: NDArray[np.uint64]) -> NDArray[np.int64]:
    lengths = np.zeros(len(values), np.int64)
    rest = values.copy()
    while rest.any():
        lengths += rest > 0
        rest >>= np.uint64(1)
    return lengths
