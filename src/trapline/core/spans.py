"""Spans of time as people type them: 10min, 2h, 1.5d."""

from __future__ import annotations

import re
from typing import Final

SECONDS: Final = {
    "s": 1.0,
    "sec": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86_400.0,
    "w": 604_800.0,
    "y": 31_557_600.0,
}
_SPAN: Final = re.compile(r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*([a-z]+)\s*")


def read_span(text: str) -> float | None:
    """Seconds; None = it is no span.

    >>> read_span("10min"), read_span(" 1.5 h "), read_span("1d"), read_span("soon")
    (600.0, 5400.0, 86400.0, None)
    """
    match = _SPAN.fullmatch(text.lower())
    if match is None or match[2] not in SECONDS:
        return None
    return float(match[1]) * SECONDS[match[2]]
