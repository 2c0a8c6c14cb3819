"""A page's links as bytes, and back. A page of the Web with 50 links takes 1.2 KB, of 3 KB in memory.

>>> from trapline.core.links import links_to
>>> unpacked(packed(links_to([7, 9], [0, 1])))["page"].tolist()
[7, 9]
"""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np

from trapline.core.links import LINK, Links

FORMAT: Final = bytes([1])  # begins a blob: of the fields that LINK has now. Other fields: another format

_LEVEL: Final = 1  # as of texts: higher levels cost much and save little


def packed(links: Links) -> bytes:
    return FORMAT + zlib.compress(links.tobytes(), _LEVEL)


def unpacked(blob: bytes) -> Links:
    """Raises zlib.error for bytes that `packed` did not make."""
    if not blob.startswith(FORMAT):
        raise zlib.error(f"links in an unknown format, {blob[:1].hex() or 'none'}")
    records = zlib.decompress(blob[1:])
    if len(records) % LINK.itemsize:
        raise zlib.error(f"{len(records)} bytes are no whole number of links")
    return np.frombuffer(records, LINK).copy()
