"""Rates and times as people say them, for what policies explain."""

from __future__ import annotations


def say_rate(rate: float, give_or_take: float | None = None) -> str:
    """A rate as people say it.

    >>> say_rate(0.5), say_rate(2 / 3600), say_rate(1 / 86400, 0.5 / 86400)
    ('0.5 a second', '2 an hour', '1 ± 0.5 a day')
    """
    units = ((1.0, 0.1, "a second"), (60.0, 1.0, "a minute"), (3600.0, 1.0, "an hour"))
    seconds, name = next(
        ((s, name) for s, least, name in units if rate * s >= least), (86400.0, "a day")
    )
    around = "" if give_or_take is None else f" ± {give_or_take * seconds:.2g}"
    return f"{rate * seconds:.3g}{around} {name}"


def say_span(seconds: float) -> str:
    """A time as people say it.

    >>> say_span(0.25), say_span(90.0), say_span(7200.0), say_span(2e5), say_span(1.5e7)
    ('0.25 s', '90 s', '2 h', '2.3 d', '174 d')
    """
    for size, name in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            count = seconds / size
            return f"{count:.2g} {name}" if count < 100.0 else f"{count:,.0f} {name}"
    return f"{seconds:.3g} s"


def say_count(count: int, noun: str) -> str:
    """So many of something.

    >>> say_count(1, "page"), say_count(1200, "page"), say_count(2, "copy")
    ('1 page', '1,200 pages', '2 copies')
    """
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {plural}"
