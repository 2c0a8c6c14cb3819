"""A page's links as bytes, and back.

A page of the Web with 50 links takes 1.2 KB, of 3 KB in memory.

>>> from trapline.core.links import links_to
>>> unpack_links(pack_links(links_to([7, 9], [0, 1])))["page"].tolist()
[7, 9]
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.core.links import LINK, Links
from trapline.stores.compression import BadBytes, pack, unpack

# begins a blob: of the fields that LINK has now. Other fields: another format
FORMAT: Final = bytes([1])


def pack_links(links: Links) -> bytes:
    return FORMAT + pack(links.tobytes())


def unpack_links(blob: bytes) -> Links:
    """Raises BadBytes for bytes that `pack_links` did not make."""
    if not blob.startswith(FORMAT):
        raise BadBytes(f"links in an unknown format, {blob[:1].hex() or 'none'}")
    records = unpack(blob[1:])
    if len(records) % LINK.itemsize:
        raise BadBytes(f"{len(records)} bytes are no whole number of links")
    return np.frombuffer(records, LINK).copy()
