"""Packed statistics: what comes back, how large it is, and what is refused."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.packing import (
    pack_sample,
    pack_shared,
    pack_terms,
    pack_within,
    unpack_sample,
    unpack_shared,
    unpack_terms,
)
from trapline.oasis.sample import Sample
from trapline.oasis.shared_table import sum_tables
from trapline.oasis.terms import TermTable


def make_table(terms: int, seed: int = 1) -> TermTable:
    rng = np.random.default_rng(seed)
    documents = np.minimum(9000, 2 + rng.zipf(1.3, terms) % 9000).astype(np.uint32)
    return TermTable.of(
        10_000,
        rng.integers(0, 1 << 40, terms, dtype=np.uint64),
        documents,
        rng.uniform(0, 2.2, terms).astype(np.float32),
        rng.uniform(0, 0.5, terms).astype(np.float32),
    )


def test_terms_come_back() -> None:
    table = make_table(5000)
    back = unpack_terms(pack_terms(table))
    assert back.pages == table.pages
    assert np.array_equal(back.keys, table.keys)
    assert np.array_equal(back.documents, table.documents)
    assert np.abs(back.mean - table.mean).max() < 0.005
    assert np.abs(back.variance - table.variance).max() < 0.005


def test_no_terms_come_back() -> None:
    assert len(unpack_terms(pack_terms(TermTable.empty()))) == 0


def test_the_dearest_terms_are_kept() -> None:
    table = make_table(20_000)
    packed, kept = pack_within(table, 30_000)
    back = unpack_terms(packed)
    assert len(packed) <= 30_000
    assert len(back) == kept < len(table)
    assert back.documents.mean() > table.documents.mean()
    whole, every = pack_within(table)
    assert (whole, every) == (pack_terms(table), len(table))


def test_forty_thousand_terms_are_less_than_600_kilobytes() -> None:
    assert len(pack_terms(make_table(40_000))) < 330_000


def make_sample() -> Sample:
    starts = np.array([0, 3, 3, 5], np.uint32)
    keys = np.array([5, 9, 1 << 39, 2, 7], np.uint64)
    weights = np.array([0.5, 1, 2.2, 0, 1.5], np.float32)
    return Sample(starts, keys, weights, np.array([1, 0, 1, 0, 0], np.bool_))


def test_a_sample_comes_back() -> None:
    sample = make_sample()
    back = unpack_sample(pack_sample(sample))
    assert len(back) == 3
    assert np.array_equal(back.starts, sample.starts)
    assert np.array_equal(back.keys, sample.keys)
    assert np.array_equal(back.in_title, sample.in_title)
    assert np.abs(back.weights - sample.weights).max() < 0.005
    assert len(unpack_sample(pack_sample(Sample.empty()))) == 0


def test_a_shared_table_comes_back() -> None:
    shared = sum_tables({"a": (1, make_table(100)), "b": (2, make_table(100, 2))})
    back = unpack_shared(pack_shared(shared))
    assert back.version == shared.version
    assert back.pages == 20_000
    keys = [int(shared.keys[3]), 12345]
    assert back.rarities(keys) == shared.rarities(keys)


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"rubbish",
        zlib.compress(b""),
        zlib.compress(b"TLt1" + b"\xff" * 60),
        pack_terms(make_table(100))[:-20],
        pack_sample(make_sample()),
    ],
    ids=["nothing", "rubbish", "empty", "absurd", "torn", "another kind"],
)
def test_what_is_not_packed_right_is_refused(packed: bytes) -> None:
    with pytest.raises(DescriptionUnreadable):
        unpack_terms(packed)


def test_a_gigabyte_is_not_unpacked() -> None:
    bomb = zlib.compressobj(9)
    packed = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(1024))
    with pytest.raises(DescriptionUnreadable, match="larger than"):
        unpack_terms(packed + bomb.flush())


def test_every_byte_that_is_wrong_is_survived() -> None:
    packed = zlib.decompress(pack_terms(make_table(40)))
    for place in range(len(packed)):
        wrong = bytearray(packed)
        wrong[place] ^= 0xFF
        try:
            table = unpack_terms(zlib.compress(bytes(wrong)))
        except DescriptionUnreadable:
            continue
        assert np.all(np.diff(table.keys.astype(np.int64)) > 0)
        assert int(table.documents.max()) <= table.pages
