"""Visits to a page, newest first: what they found, and what was paid for them."""

from __future__ import annotations

from typing import Final

from trapline.app.folder.time_line import TimedVisit, TimeLine
from trapline.app.web.pages.figures import section, table
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.visit_strip import visit_strip
from trapline.app.web.pages.wording import say_number, time_element
from trapline.policies.wording import say_count

_SHOWN: Final = 10
_HEAD: Final = ("When", "Found", "Paid", "Took")


def visits_section(line: TimeLine, now_s: float) -> Html:
    rows = [_visit(visit, now_s) for visit in reversed(line.visits)]
    earlier = element("p", "Still earlier ones are not shown.", class_="note")
    return section(
        "Visits and changes",
        visit_strip(line.visits, now_s) if len(rows) > 1 else NOTHING,
        table("Visits, newest first", _HEAD, rows[:_SHOWN], words=(0, 1)),
        _others(rows[_SHOWN:]),
        earlier if line.earlier else NOTHING,
    )


def say_paid(line: TimeLine, asked: float) -> str:
    """What the newest visits cost, beside what is asked now; nothing if none had a price.

    >>> from dataclasses import replace
    >>> visit = TimedVisit(9.0, "ok", "unchanged", 200, False, False, 0.1, 0.1, "")
    >>> visits = [visit, replace(visit, price=0.3)]
    >>> say_paid(TimeLine(0, "", visits, earlier=False), asked=0.5)
    'The last 2 visits paid 0.2 on average, 0.1 to 0.3: when its host is free and has nothing \
better to do, a page is visited before it is due, for less.'
    """
    newest = line.visits[-_SHOWN:]
    paid = [visit.price for visit in newest if visit.price is not None]
    if not paid:
        return ""
    whose = (
        f"The last {say_count(len(paid), 'visit')}" if paid[1:] else "The last visit"
    )
    mean = sum(paid) / len(paid)
    between = f", {say_number(min(paid))} to {say_number(max(paid))}"
    said = f"{whose} paid {say_number(mean)}"
    said += f" on average{between}" if paid[1:] else ""
    return f"{said}: {_SOONER}" if mean < asked else f"{said}."


_SOONER: Final = (
    "when its host is free and has nothing better to do, a page is visited before it is due, "
    "for less."
)


def _others(rows: list[tuple[Html, Html, str, str]]) -> Html:
    if not rows:
        return NOTHING
    return element(
        "details",
        element("summary", f"{say_count(len(rows), 'visit')} before"),
        table("Visits before these", _HEAD, rows, words=(0, 1)),
        class_="numbers",
    )


def _visit(visit: TimedVisit, now_s: float) -> tuple[Html, Html, str, str]:
    remark = f" ({visit.remark})" if visit.remark else ""
    shown = element("b" if visit.changed else "span", visit.found)
    return (
        time_element(visit.ended_s, now_s),
        join(shown, remark),
        "in turn" if visit.price is None else say_number(visit.price),
        _took(visit.seconds),
    )


def _took(seconds: float) -> str:
    """
    >>> _took(0.0314), _took(1.62)
    ('31 ms', '1.6 s')
    """
    return f"{seconds * 1000:.0f} ms" if seconds < 1.0 else f"{seconds:.2g} s"
