"""Dates as people type them."""

from __future__ import annotations

from datetime import UTC, datetime

from trapline.core.errors import UserMistake


def seconds_of(option: str, said: str | None) -> float | None:
    """A date, or a date and a time, of UTC unless it names another zone.

    >>> seconds_of("--changed-after", "1970-01-02"), seconds_of("--changed-after", None)
    (86400.0, None)
    >>> seconds_of("--changed-after", "1970-01-01T01:00:00+01:00")
    0.0
    """
    if said is None:
        return None
    try:
        found = datetime.fromisoformat(said.strip())
        zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
        return zoned.timestamp()
    except (ValueError, OverflowError):
        raise UserMistake(
            f"{option} is {said[:40]!r}: give a date like 2026-01-31, or 2026-01-31T18:00"
        ) from None
