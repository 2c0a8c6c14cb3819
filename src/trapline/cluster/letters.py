"""Letters between shards: links for another shard to follow, packed with all that they showed.

A mailed link has the relevance of the page that it was found on, its steps from a seed and its
clues, so that it scores as one found at home. One that is no step from a seed is a seed itself.

>>> import numpy as np
>>> clues = np.zeros(1, LINK)
>>> clues["anchor"] = 0.5
>>> sent = MailedLinks(("http://a.org/x",), clues, np.float32([0.25]), np.uint8([3]))
>>> read = unpack_letter(pack_letter(sent))
>>> read.urls, float(read.links["anchor"][0]), read.relevance.tolist(), read.depth.tolist()
(('http://a.org/x',), 0.5, [0.25], [3])
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import LINK, Links
from trapline.stores.compression import BadBytes, pack, unpack

# begins a letter: of the fields that LINK has now. Other fields: another format
FORMAT: Final = bytes([1])
_HEAD: Final = struct.Struct("<II")  # links, bytes of their URLs


class MailedLinks(NamedTuple):
    urls: tuple[str, ...]
    links: Links  # pages and hosts are the receiver's to number
    relevance: NDArray[np.float32]  # of the pages on which they were found
    depth: NDArray[np.uint8]  # links from a seed

    def part(self, kept: slice) -> MailedLinks:
        arrays = (self.links[kept], self.relevance[kept], self.depth[kept])
        return MailedLinks(self.urls[kept], *arrays)

    def choose(self, places: list[int]) -> MailedLinks:
        if len(places) == len(self.urls):
            return self  # as is usual
        urls = tuple(self.urls[i] for i in places)
        arrays = (self.links[places], self.relevance[places], self.depth[places])
        return MailedLinks(urls, *arrays)


def pack_letter(sent: MailedLinks) -> bytes:
    urls = "\n".join(sent.urls).encode()
    arrays = sent.links.tobytes() + sent.relevance.tobytes() + sent.depth.tobytes()
    return FORMAT + pack(_HEAD.pack(len(sent.urls), len(urls)) + urls + arrays)


def unpack_letter(body: bytes) -> MailedLinks:
    """Raises BadBytes for bytes that `pack_letter` did not make."""
    if not body.startswith(FORMAT):
        raise BadBytes(f"a letter in an unknown format, {body[:1].hex() or 'none'}")
    content = unpack(body[1:])
    count, length = _HEAD.unpack_from(content)
    at = _HEAD.size
    size = at + length + count * (LINK.itemsize + 5)
    if len(content) != size:
        raise BadBytes(f"a letter of {len(content)} bytes that should have {size}")
    urls = content[at : at + length].decode().split("\n") if count else []
    at += length
    links = np.frombuffer(content, LINK, count, at).copy()
    at += links.nbytes
    relevance = np.frombuffer(content, np.float32, count, at).copy()
    depth = np.frombuffer(content, np.uint8, count, at + relevance.nbytes).copy()
    return MailedLinks(tuple(urls), links, relevance, depth)
