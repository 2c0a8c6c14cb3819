"""Statistics and samples as bytes: about five bytes a term before they are deflated.

Whoever unpacks does not trust: the unpacked size, every count and every order is checked, and what
does not fit is a DescriptionUnreadable, never a large allocation.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.sample import MOST_PAGES, MOST_TERMS, Sample
from trapline.oasis.shared_table import SharedTable
from trapline.oasis.terms import KEY_BITS, Keys, TermTable
from trapline.oasis.varints import pack_numbers, unpack_numbers

MOST_PACKED: Final = 1_000_000  # bytes of an engine's statistics
MOST_TERMS_OF_ENGINE: Final = 2_000_000
_MOST_UNPACKED: Final = 40_000_000
_HEAD: Final = struct.Struct("<4sQQ")  # kind, pages, how many entries
_TERMS: Final = b"TLt1"
_SAMPLE: Final = b"TLs1"
_SHARED: Final = b"TLf1"
_LARGEST_WEIGHT: Final = 2.2  # of BM25 without the rarity
_STEPS: Final = 255
_WEIGHT_STEP: Final = _LARGEST_WEIGHT / _STEPS
_VARIANCE_STEP: Final = 1.21 / _STEPS  # no variance of numbers from 0 to 2.2 is larger


def pack_terms(table: TermTable) -> bytes:
    columns = (
        pack_numbers(_gaps(table.keys)),
        pack_numbers(table.documents),
        _bytes_of(table.mean, _WEIGHT_STEP),
        _bytes_of(table.variance, _VARIANCE_STEP),
    )
    return _pack(
        _TERMS,
        table.pages,
        len(table),
        columns,
    )


def unpack_terms(packed: bytes) -> TermTable:
    pages, count, columns = _unpack(
        _TERMS,
        packed,
        4,
        MOST_TERMS_OF_ENGINE,
    )
    keys = _keys(columns[0], count)
    documents = unpack_numbers(columns[1], count)
    if len(documents) and not 0 < int(documents.max()) <= max(pages, 1):
        raise DescriptionUnreadable("a term is in more pages than there are")
    return TermTable(
        pages,
        keys,
        documents.astype(np.uint32),
        _numbers_of(columns[2], count, _WEIGHT_STEP),
        _numbers_of(columns[3], count, _VARIANCE_STEP),
    )


def pack_within(table: TermTable, most: int = MOST_PACKED) -> tuple[bytes, int]:
    """The dearest terms that fit into so many bytes, and how many those are.

    A term is dear when many pages have it and yet it tells something.
    """
    frequency = table.documents.astype(np.float64)
    pages = np.maximum(float(table.pages), frequency)
    dear = frequency * np.log1p((pages - frequency + 0.5) / (frequency + 0.5))
    order = np.argsort(-dear, kind="stable")
    kept = len(order)
    packed = pack_terms(table)
    while len(packed) > most:
        kept = min(kept - 1, int(kept * most / len(packed) * 0.98))
        packed = pack_terms(table.take(np.sort(order[:kept])))
    return packed, kept


def pack_sample(sample: Sample) -> bytes:
    sizes = np.diff(sample.starts.astype(np.int64))
    gaps = _gaps_within(sample.keys, sample.starts)
    columns = (
        pack_numbers(sizes),
        pack_numbers(gaps),
        _bytes_of(sample.weights, _WEIGHT_STEP),
        np.packbits(sample.in_title).tobytes(),
    )
    return _pack(
        _SAMPLE,
        len(sample),
        len(sample.keys),
        columns,
    )


def unpack_sample(packed: bytes) -> Sample:
    pages, count, columns = _unpack(
        _SAMPLE,
        packed,
        4,
        MOST_PAGES * MOST_TERMS,
    )
    if pages > MOST_PAGES:
        raise DescriptionUnreadable(
            f"its sample has {pages} pages, more than {MOST_PAGES}"
        )
    sizes = unpack_numbers(columns[0], pages)
    if int(sizes.max(initial=0)) > MOST_TERMS or int(sizes.sum()) != count:
        raise DescriptionUnreadable("the pages of its sample do not add up")
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.uint32)
    gaps = unpack_numbers(columns[1], count)
    if int(gaps.max(initial=0)) >> KEY_BITS:
        raise DescriptionUnreadable("a key of its sample is too large")
    if len(columns[3]) != -(-count // 8):
        raise DescriptionUnreadable("its sample is damaged")
    bits = np.unpackbits(np.frombuffer(columns[3], np.uint8), count=count)
    weights = _numbers_of(columns[2], count, _WEIGHT_STEP)
    return Sample(
        starts,
        _sums_within(gaps, starts),
        weights,
        bits.astype(np.bool_),
    )


def pack_shared(table: SharedTable) -> bytes:
    columns = (
        table.version.encode(),
        pack_numbers(_gaps(table.keys)),
        pack_numbers(table.documents),
    )
    return _pack(
        _SHARED,
        table.pages,
        len(table.keys),
        columns,
    )


def unpack_shared(packed: bytes) -> SharedTable:
    pages, count, columns = _unpack(
        _SHARED,
        packed,
        3,
        10 * MOST_TERMS_OF_ENGINE,
    )
    documents = unpack_numbers(columns[2], count)
    version = columns[0].decode("ascii", "replace")[:64]
    return SharedTable(
        version,
        pages,
        _keys(columns[1], count),
        documents,
    )


def _pack(
    kind: bytes,
    pages: int,
    count: int,
    columns: tuple[bytes, ...],
) -> bytes:
    lengths = struct.pack(f"<{len(columns)}Q", *map(len, columns))
    whole = _HEAD.pack(kind, pages, count) + lengths + b"".join(columns)
    return zlib.compress(whole, 6)


def _unpack(
    kind: bytes, packed: bytes, columns: int, most: int
) -> tuple[int, int, list[bytes]]:
    data = _inflate(packed)
    head = _HEAD.size + 8 * columns
    if len(data) < head or data[:4] != kind:
        raise DescriptionUnreadable("it is not packed as Trapline packs")
    _, pages, count = _HEAD.unpack_from(data)
    lengths = struct.unpack_from(f"<{columns}Q", data, _HEAD.size)
    if count > most or pages >= 1 << 40 or head + sum(lengths) != len(data):
        raise DescriptionUnreadable("its packed parts do not add up")
    found = []
    for length in lengths:
        found.append(data[head : head + length])
        head += length
    return pages, count, found


def _inflate(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, _MOST_UNPACKED)
    except zlib.error:
        raise DescriptionUnreadable("it cannot be unpacked") from None
    if inflater.unconsumed_tail or not inflater.eof:
        raise DescriptionUnreadable(
            f"unpacked it is torn, or larger than {_MOST_UNPACKED:,} bytes"
        )
    return data


def _gaps(keys: Keys) -> NDArray[np.uint64]:
    return np.diff(keys, prepend=np.uint64(0))


def _keys(packed: bytes, count: int) -> Keys:
    gaps = unpack_numbers(packed, count)
    if int(gaps.max(initial=0)) >> KEY_BITS or not np.all(gaps[1:]):
        raise DescriptionUnreadable("its terms are out of order")
    keys = np.cumsum(gaps, dtype=np.uint64)
    if count and int(keys[-1]) >> KEY_BITS:
        raise DescriptionUnreadable("a key is too large")
    return keys


def _gaps_within(keys: Keys, starts: NDArray[np.uint32]) -> NDArray[np.uint64]:
    gaps = np.diff(keys, prepend=np.uint64(0))
    firsts = starts[:-1][np.diff(starts.astype(np.int64)) > 0]
    gaps[firsts] = keys[firsts]
    return gaps


def _sums_within(gaps: NDArray[np.uint64], starts: NDArray[np.uint32]) -> Keys:
    sums = np.cumsum(gaps, dtype=np.uint64)
    before = np.concatenate((np.zeros(1, np.uint64), sums))[starts[:-1]]
    sizes = (starts[1:] - starts[:-1]).astype(np.int64)
    return (sums - np.repeat(before, sizes)) & np.uint64((1 << KEY_BITS) - 1)


def _bytes_of(numbers: NDArray[np.float32], step: float) -> bytes:
    steps = np.clip(np.rint(numbers / step), 0, _STEPS)
    return bytes(steps.astype(np.uint8))


def _numbers_of(packed: bytes, count: int, step: float) -> NDArray[np.float32]:
    if len(packed) != count:
        raise DescriptionUnreadable("a column of it has the wrong length")
    return (np.frombuffer(packed, np.uint8) * np.float32(step)).astype(np.float32)
