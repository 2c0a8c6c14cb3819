"""Numbers and times, as the pages say them."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Final

from trapline.app.web.pages.markup import Html, element

_DAY_S: Final = 86_400.0
_LEAST: Final = 1e-4  # that is told as a number
_LAST_S: Final = 253_402_300_799.0  # 31 December 9999
_UNITS: Final = (
    (365.25 * _DAY_S, "year"),
    (30.44 * _DAY_S, "month"),
    (_DAY_S, "day"),
    (3600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
)
_RATES: Final = (
    (1.0, "a second"),
    (60.0, "a minute"),
    (3600.0, "an hour"),
    (_DAY_S, "a day"),
)


def say_age(seconds: float) -> str:
    """How long ago, in one unit.

    >>> say_age(0.4), say_age(61.0), say_age(7_300.0), say_age(86_400.0 * 400)
    ('just now', '1 minute ago', '2 hours ago', '1 year ago')
    """
    span = say_length(seconds)
    return f"{span} ago" if span else "just now"


def say_length(seconds: float) -> str:
    """A length of time in one unit, rounded down; "" = less than a second.

    >>> say_length(86_400.0 * 3.9), say_length(0.3)
    ('3 days', '')
    """
    for size, name in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count:,} {name}{'s' if count > 1 else ''}"
    return ""


def time_element(at_s: float, now_s: float) -> Html:
    """A moment, said by its age; its date is in the tooltip and for machines."""
    if not 0.0 < at_s <= _LAST_S:
        return element("span", "at an unknown time")
    moment = datetime.fromtimestamp(at_s, UTC)
    return element(
        "time",
        say_age(max(0.0, now_s - at_s)),
        datetime=moment.isoformat(timespec="seconds"),
        title=moment.strftime("%-d %B %Y, %H:%M UTC"),
    )


def say_date(at_s: float) -> str:
    """A moment in full, or a dash.

    >>> say_date(1_700_000_000.0), say_date(0.0)
    ('14 November 2023, 22:13 UTC', '–')
    """
    if not 0.0 < at_s <= _LAST_S:
        return "–"
    return datetime.fromtimestamp(at_s, UTC).strftime("%-d %B %Y, %H:%M UTC")


def say_number(value: float | None, digits: int = 3) -> str:
    """A number with so many digits that matter; a dash where there is none.

    >>> say_number(0.012345), say_number(12345.6), say_number(3.0), say_number(None)
    ('0.0123', '12,346', '3', '–')
    >>> say_number(3e-9)
    '< 0.0001'
    """
    if value is None or not math.isfinite(value):
        return "–"
    if 0.0 < abs(value) < _LEAST:
        return f"< {_LEAST:g}"
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def say_share(value: float | None) -> str:
    """A share in per cent.

    >>> say_share(0.934), say_share(0.0123), say_share(None)
    ('93 %', '1.2 %', '–')
    """
    if value is None or not math.isfinite(value):
        return "–"
    digits = 1 if abs(value) < 0.0995 and value else 0
    return f"{value * 100:.{digits}f} %"


def say_band(mean: float, low: float, high: float) -> tuple[str, str]:
    """A learnt rate and the band around it, in one unit.

    >>> say_band(1 / 3600, 0.1 / 3600, 2.5 / 3600)
    ('1 an hour', '0.1 to 2.5 an hour')
    >>> say_band(0.0, 0.0, 2 / 86_400)
    ('almost never', '0 to 2 a day')
    """
    size_s, unit = next((one for one in _RATES if mean * one[0] >= 1.0), _RATES[-1])
    least = 0.0 if low * size_s < 0.005 else low * size_s
    said = "almost never"
    if mean * size_s >= 0.001:
        said = f"{say_number(mean * size_s)} {unit}"
    return said, f"{say_number(least)} to {say_number(high * size_s)} {unit}"
