"""Headers as servers write them, made safe to keep, to resolve and to send back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

LONGEST: Final = 2_000
LONGEST_WAIT_S: Final = 7 * 86_400.0  # a Retry-After beyond a week is obeyed as a week


def header(headers: Mapping[str, str], name: str) -> str:
    """A header's text, at most LONGEST characters; bytes that are not UTF-8 become U+FFFD.

    >>> header({"Location": "/caf\\udce9"}, "Location")
    '/caf\\ufffd'
    """
    text = headers.get(name, "")
    if not text.isascii():
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text.strip()[:LONGEST]


def validator(headers: Mapping[str, str], name: str) -> str:
    """An ETag or date that can be sent back as it came; one that cannot is worth nothing.

    >>> validator({"ETag": '"v1"'}, "ETag"), validator({"ETag": '"é"'}, "ETag")
    ('"v1"', '')
    """
    text = headers.get(name, "").strip()
    return text if len(text) < LONGEST and text.isascii() and text.isprintable() else ""


def headers_as_sent(raw: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    """All headers in their order, one character a byte, so that they can be written down as they
    came.

    >>> headers_as_sent([(b"X-City", b"K\\xf6ln"), (b"X-City", b"Bonn")])
    (('X-City', 'Köln'), ('X-City', 'Bonn'))
    """
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in raw
    )


def retry_after_s(headers: Mapping[str, str], now_s: float) -> float:
    """Seconds that Retry-After asks for, by number or by date; 0 = it says nothing that can be
    understood.

    A date is compared with the server's own Date where it sends one: clocks differ.

    >>> retry_after_s({"Retry-After": "120"}, 0.0)
    120.0
    >>> retry_after_s({"Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"}, now_s=15.0)
    45.0
    """
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdecimal():
        wait_s = float(text[:12])
    else:
        sent_s = _epoch_s(headers.get("Date", ""))
        wait_s = (_epoch_s(text) or 0.0) - (now_s if sent_s is None else sent_s)
    return min(max(wait_s, 0.0), LONGEST_WAIT_S)


def date_s(headers: Mapping[str, str]) -> float:
    """The time by the server's clock; nan = it does not say.

    >>> date_s({"Date": "Thu, 01 Jan 1970 00:01:00 GMT"}), date_s({"Date": "today"})
    (60.0, nan)
    """
    sent_s = _epoch_s(headers.get("Date", ""))
    return math.nan if sent_s is None else sent_s


# Answers come many a second, and a date has seconds.
@lru_cache(maxsize=64)
def _epoch_s(text: str) -> float | None:
    try:
        date = parsedate_to_datetime(text[:100])
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None
