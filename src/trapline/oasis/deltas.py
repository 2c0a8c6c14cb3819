"""What changed between two versions of an engine's statistics: only that travels.

>>> old = TermTable.of_rows(10, [("en", "moon", 3, 1.0, 0.0), ("en", "mars", 2, 1.0, 0.0)])
>>> new = TermTable.of_rows(11, [("en", "moon", 4, 1.0, 0.0)])
>>> back = apply_delta(old, pack_delta(old, new))
>>> back.pages, back.documents.tolist(), len(back)
(11, [4], 1)
"""

from __future__ import annotations

import struct
from typing import Final

import numpy as np

from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.packing import pack_terms, unpack_terms
from trapline.oasis.terms import TermTable, places_of

_HEAD: Final = struct.Struct("<4sQ")  # kind, bytes of the terms that are new or changed
_KIND: Final = b"TLd1"


def pack_delta(old: TermTable, new: TermTable) -> bytes:
    """Both as they are when unpacked: what is packed is rounded."""
    places = places_of(old.keys, new.keys)
    met = np.maximum(places, 0)
    same = (places >= 0) & (len(old) > 0)
    if len(old):
        same &= old.documents[met] == new.documents
        same &= old.mean[met] == new.mean
        same &= old.variance[met] == new.variance
    changed = pack_terms(new.take(np.flatnonzero(~same)))
    gone = np.flatnonzero(places_of(new.keys, old.keys) < 0)
    # as a table: it is packed and distrusted like any other
    removed = pack_terms(old.take(gone))
    return _HEAD.pack(_KIND, len(changed)) + changed + removed


def apply_delta(old: TermTable, packed: bytes) -> TermTable:
    """The new version; DescriptionUnreadable if it is none."""
    if len(packed) < _HEAD.size or packed[:4] != _KIND:
        raise DescriptionUnreadable("it is not what has changed")
    _, length = _HEAD.unpack_from(packed)
    changed = unpack_terms(packed[_HEAD.size : _HEAD.size + length])
    removed = unpack_terms(packed[_HEAD.size + length :])
    replaced = np.concatenate((changed.keys, removed.keys))
    kept = old.take(np.flatnonzero(~np.isin(old.keys, replaced)))
    return TermTable.of(
        changed.pages,
        np.concatenate((kept.keys, changed.keys)),
        np.concatenate((kept.documents, changed.documents)),
        np.concatenate((kept.mean, changed.mean)),
        np.concatenate((kept.variance, changed.variance)),
    )
