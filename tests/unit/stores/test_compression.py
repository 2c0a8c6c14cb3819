"""Packed bytes: nothing is lost, what older stores hold is read, and no harm goes unnoticed."""

from __future__ import annotations

import random
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from trapline.stores.compression import BadBytes, pack, unpack

TEXT = b"All the moons of all the planets, and what turns about them. " * 20


@pytest.mark.parametrize(
    "content", [b"", b"x", TEXT, random.Random(1).randbytes(300_000)]
)
def test_whatever_is_packed_is_unpacked(content: bytes) -> None:
    assert unpack(pack(content)) == content


def test_what_older_stores_hold_is_read() -> None:
    for level in range(10):
        assert unpack(zlib.compress(TEXT, level)) == TEXT


def test_prose_takes_less_room() -> None:
    assert len(pack(TEXT)) < len(TEXT) / 5


@pytest.mark.parametrize("blob", [pack(TEXT), zlib.compress(TEXT, 1)])
def test_no_harm_goes_unnoticed(blob: bytes) -> None:
    """Every bit turned, every end cut off."""
    harmed = [blob[:end] for end in range(len(blob))]
    for bit in range(8 * len(blob)):
        turned = bytearray(blob)
        turned[bit // 8] ^= 1 << bit % 8
        harmed.append(bytes(turned))
    for bad in harmed:
        try:
            found = unpack(bad)
        except BadBytes:
            continue
        assert found == TEXT, (
            "a bit that says how it was packed may be another; what was packed may not"
        )


def test_threads_do_not_get_into_each_others_bytes() -> None:
    contents = [bytes([number]) * 50_000 for number in range(200)]
    with ThreadPoolExecutor(4) as threads:
        assert [unpack(blob) for blob in threads.map(pack, contents)] == contents
