"""Files that are gzip by themselves (sitemap.xml.gz), unpacked up to a limit: a bomb costs no more than that."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

MAGIC: Final = b"\x1f\x8b"
CHUNK: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


def chunks(body: bytes, most: int) -> Iterator[bytes]:
    """The content in pieces, at most `most` bytes in all; damaged files end where they are damaged."""
    if not body.startswith(MAGIC):
        for begin in range(0, min(len(body), most), CHUNK):
            yield body[begin : min(begin + CHUNK, most)]
        return
    inflating, left = zlib.decompressobj(_GZIP), most
    try:
        for begin in range(0, len(body), CHUNK):  # not all at once: the rest would be copied with every piece
            packed = body[begin : begin + CHUNK]
            while packed and left > 0 and not inflating.eof:
                piece = inflating.decompress(packed, min(CHUNK, left))
                packed, left = inflating.unconsumed_tail, left - len(piece)
                yield piece
        if left > 0:
            yield inflating.decompress(b"", left)
    except zlib.error:
        return


def unpacked(body: bytes, most: int) -> bytes:
    """The first `most` bytes of the content.

    >>> import gzip
    >>> unpacked(gzip.compress(b"one" * 1000), 5), unpacked(b"as it is", 5)
    (b'oneon', b'as it')
    """
    return b"".join(chunks(body, most))
