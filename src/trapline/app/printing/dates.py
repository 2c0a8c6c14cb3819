"""Dates as people type them."""

from __future__ import annotations

from datetime import UTC, datetime

from trapline.core.errors import UserMistake
from trapline.search.query_dates import read_date


def seconds_of(option: str, said: str | None, *, at_end: bool = False) -> float | None:
    """A day, month or year, at its beginning or its end; or a date and a time. Of UTC, unless it
    names another zone.

    >>> seconds_of("--changed-before", "1970-01-02"), seconds_of("--changed-after", None)
    (86400.0, None)
    >>> seconds_of("--changed-after", "1970-01-02", at_end=True)
    172800.0
    >>> seconds_of("--changed-after", "1970-01-01T01:00:00+01:00")
    0.0
    """
    if said is None:
        return None
    if span := read_date(said.strip()):
        return span.to_s if at_end else span.from_s
    try:
        found = datetime.fromisoformat(said.strip())
        zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
        return zoned.timestamp()
    except (ValueError, OverflowError):
        raise UserMistake(
            f"{option} is {said[:40]!r}: give a date like 2026-01-31, or 2026-01-31T18:00"
        ) from None
