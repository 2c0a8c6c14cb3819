"""Files that are gzip by themselves (sitemap.xml.gz), unpacked up to a limit: a bomb costs no more
than that.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

MAGIC: Final = b"\x1f\x8b"
CHUNK: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


def unpack_chunks(body: bytes, most: int) -> Iterator[bytes]:
    """The content in pieces, at most `most` bytes in all; damaged files end where they
    are damaged.
    """
    if not body.startswith(MAGIC):
        for begin in range(0, min(len(body), most), CHUNK):
            yield body[begin : min(begin + CHUNK, most)]
        return
    inflating = zlib.decompressobj(_GZIP)
    left = most
    try:
        # not all at once: the rest would be copied with every piece
        for begin in range(0, len(body), CHUNK):
            packed = body[begin : begin + CHUNK]
            while packed and left > 0 and not inflating.eof:
                piece = inflating.decompress(packed, min(CHUNK, left))
                packed = inflating.unconsumed_tail
                left = left - len(piece)
                yield piece
        if left > 0:
            yield inflating.decompress(b"", left)
    except zlib.error:
        return


def unpack_body(body: bytes, most: int) -> bytes:
    """The first `most` bytes of the content.

    >>> import gzip
    >>> unpack_body(gzip.compress(b"one" * 1000), 5), unpack_body(b"as it is", 5)
    (b'oneon', b'as it')
    """
    return b"".join(unpack_chunks(body, most))
