"""Bytes as the store has them: compressed by zstd, with a checksum.

It takes a third of zlib's time, and less room.

>>> unpack(pack(b"word " * 100))[:9]
b'word word'
"""

from __future__ import annotations

import sys
import zlib
from typing import Final

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# begins the bytes of stores before version 4, which zlib packed
_BEFORE: Final = b"\x78"
_LEVEL = zstd.CompressionParameter.compression_level
_CHECKSUM = zstd.CompressionParameter.checksum_flag
# higher levels cost much and save little
_OPTIONS: Final[dict[int, int]] = {_LEVEL: 1, _CHECKSUM: 1}
# one for all: making one takes longer than packing links
_PACKER: Final = zstd.ZstdCompressor(options=_OPTIONS)


class BadBytes(ValueError):
    """These bytes cannot be unpacked. The store raises StoreCorrupt."""


def pack(content: bytes) -> bytes:
    return _PACKER.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)


def unpack(blob: bytes) -> bytes:
    if not blob:  # zstd takes it for no frames at all
        raise BadBytes("there are none")
    try:
        return (
            zlib.decompress(blob) if blob.startswith(_BEFORE) else zstd.decompress(blob)
        )
    except (zlib.error, zstd.ZstdError) as failure:
        raise BadBytes(str(failure)) from failure
