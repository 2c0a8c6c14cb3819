"""Tallies and lists of link texts (link_tallies.py) as the store has them.

>>> tally = tally_of_row((2, '[["the Sun", 3, 2, 4, 1]]'))
>>> tally.texts
{'the Sun': {3: 2, 4: 1}}
>>> pack_tally(tally)
'[["the Sun",3,2,4,1]]'
>>> unpack_counted(pack_counted([(7, "the Sun"), (9, "tea")]))
[(7, 'the Sun'), (9, 'tea')]
"""

from __future__ import annotations

import json
from itertools import chain
from typing import Any, Final

from trapline.core.links import LinkTexts
from trapline.stores.compression import BadBytes, pack, unpack
from trapline.stores.link_tallies import Tally

TALLY: Final = "SELECT changes, texts FROM link_texts WHERE page = ?"
# Other characters than ASCII are escaped, so that half a character cannot stop a commit.
_write: Final = json.JSONEncoder(separators=(",", ":")).encode


def pack_tally(tally: Tally) -> str:
    return _write(
        [
            [text, *chain.from_iterable(hosts.items())]
            for text, hosts in tally.texts.items()
        ]
    )


def tally_of_row(row: tuple[Any, ...]) -> Tally:
    """Raises BadBytes for a text that `pack_tally` did not make."""
    changes, packed = row
    try:
        texts = {
            text: dict(zip(counts[::2], counts[1::2], strict=True))
            for text, *counts in json.loads(packed)
        }
    except (ValueError, TypeError) as failure:
        raise BadBytes(f"link texts that cannot be read: {failure}") from failure
    return Tally(changes, texts)


def pack_counted(counted: LinkTexts) -> bytes:
    return pack(_write(list(chain.from_iterable(counted))).encode())


def unpack_counted(blob: bytes) -> LinkTexts:
    """Raises BadBytes for bytes that `pack_counted` did not make."""
    try:
        flat = json.loads(unpack(blob))
        return list(zip(flat[::2], flat[1::2], strict=True))
    except (ValueError, TypeError) as failure:
        raise BadBytes(f"link texts that cannot be read: {failure}") from failure
