"""Spans of time as people write them in a query: days, months and years, in UTC.

>>> read_span(">=2026-01") == Span(1767225600.0, None)
True
>>> read_span("1970-01-02"), read_span("1970-01-01..1970-01-02"), read_span(">NaN")
(Span(from_s=86400.0, to_s=172800.0), Span(from_s=0.0, to_s=172800.0), None)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """From a time up to before another; None = open."""

    from_s: float | None = None
    to_s: float | None = None

    def within(self, other: Span) -> Span:
        """What lies in both."""
        starts = [s for s in (self.from_s, other.from_s) if s is not None]
        ends = [s for s in (self.to_s, other.to_s) if s is not None]
        return Span(max(starts, default=None), min(ends, default=None))


def read_span(text: str) -> Span | None:
    """`2026`, `2026-01`, `2026-01-31`, with `>`, `>=`, `<`, `<=` before it, or two of them with
    `..` between; None = it is none.
    """
    first, dots, last = text.partition("..")
    if dots:
        start, end = read_date(first), read_date(last)
        return Span(start.from_s, end.to_s) if start and end else None
    sign = text[: len(text) - len(text.lstrip("<>="))]
    date = read_date(text[len(sign) :])
    if date is None:
        return None
    spans = {
        "": date,
        "=": date,
        ">": Span(date.to_s, None),
        ">=": Span(date.from_s, None),
        "<": Span(None, date.from_s),
        "<=": Span(None, date.to_s),
    }
    return spans.get(sign)


def read_date(text: str) -> Span | None:
    """The whole day, month or year."""
    parts = _DATE.fullmatch(text)
    if parts is None:
        return None
    year, month, day = int(parts[1]), int(parts[2] or 1), int(parts[3] or 1)
    try:
        start = datetime(
            year,
            month,
            day,
            tzinfo=UTC,
        )
        if parts[3]:
            return Span(start.timestamp(), start.timestamp() + 86_400.0)
        next_month = month % 12 + 1 if parts[2] else 1
        next_year = year + (next_month == 1)
        end = datetime(
            next_year,
            next_month,
            1,
            tzinfo=UTC,
        )
    except ValueError:
        return None
    return Span(start.timestamp(), end.timestamp())
