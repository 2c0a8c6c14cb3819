"""64 bits of a text, signed as SQLite wants them: another number = another text."""

from __future__ import annotations

import xxhash


def text_hash(text: str) -> int:
    """
    >>> text_hash("tea") == text_hash("tea"), text_hash("tea") == text_hash("Tea")
    (True, False)
    """
    unsigned = xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace"))
    return unsigned - 2**64 if unsigned >= 2**63 else unsigned
