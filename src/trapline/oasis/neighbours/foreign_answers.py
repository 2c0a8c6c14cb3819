"""What another engine answered, whatever its make: by its type, or else by its first sign."""

from __future__ import annotations

from typing import Final

from trapline.core.errors import AnswerUnreadable
from trapline.oasis.neighbours.feed_answers import read_feed
from trapline.oasis.neighbours.foreign_hits import ForeignHit
from trapline.oasis.neighbours.json_answers import read_json

MOST_BYTES: Final = 2_000_000
# types that say nothing of what is in it
_UNTOLD: Final = ("", "text/plain", "application/octet-stream")
_XML: Final = ("application/xml", "text/xml")
_UTF8_MARK: Final = b"\xef\xbb\xbf"


def read_answer(body: bytes, content_type: str = "") -> list[ForeignHit]:
    """Hits in their order; AnswerUnreadable for what is no list of hits.

    >>> read_answer(b'{"results": []}', "application/json; charset=utf-8")
    []
    """
    if len(body) > MOST_BYTES:
        raise AnswerUnreadable(f"it has more than {MOST_BYTES:,} bytes")
    kind = content_type.partition(";")[0].strip().lower()
    body = body.removeprefix(_UTF8_MARK)
    if kind in _UNTOLD:
        kind = _guess_type(body)
    if kind == "application/json" or kind.endswith("+json"):
        return read_json(body)
    if kind in _XML or kind.endswith("+xml"):
        return read_feed(body)
    raise AnswerUnreadable(f"it is neither JSON nor a feed, but {kind[:50]!r}")


def _guess_type(body: bytes) -> str:
    sign = body.lstrip()[:1]
    return {b"{": "application/json", b"<": "application/xml"}.get(sign, "")
