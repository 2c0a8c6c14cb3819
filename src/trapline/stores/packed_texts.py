"""What a page calls others, as bytes in a row.

>>> unpack_texts(pack_texts([(7, "the Sun"), (9, "tea")]))
[(7, 'the Sun'), (9, 'tea')]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trapline.core.links import LinkTexts
from trapline.stores.compression import BadBytes, pack, unpack


def pack_texts(counted: LinkTexts) -> bytes:
    return pack("\n".join(f"{target}\t{text}" for target, text in counted).encode())


def unpack_texts(blob: bytes) -> LinkTexts:
    lines = [line.split("\t") for line in unpack(blob).decode().split("\n")]
    return [(int(target), text) for target, text in lines]


@contextmanager
def text_damage_shown() -> Iterator[None]:
    """Bytes that were not written here become BadBytes."""
    try:
        yield
    except (ValueError, IndexError) as failure:
        raise BadBytes(f"link texts that cannot be read: {failure}") from failure
