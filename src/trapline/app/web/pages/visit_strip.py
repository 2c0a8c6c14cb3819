"""Visits of a page on a line of time: a dot a visit, a filled one where something had changed."""

from __future__ import annotations

from trapline.app.folder.time_line import TimedVisit
from trapline.app.web.pages.markup import Html, element
from trapline.app.web.pages.wording import say_age

_WIDE = 1000.0
_EDGE = 12.0
_MIDDLE = "16"


def visit_strip(visits: list[TimedVisit], now_s: float) -> Html:
    first_s = visits[0].ended_s
    length_s = max(1.0, now_s - first_s)
    changes = sum(visit.changed for visit in visits)
    dots = [_dot(visit, (visit.ended_s - first_s) / length_s) for visit in visits]
    line = element("line", x1=str(_EDGE), x2=str(_WIDE - _EDGE), y1=_MIDDLE, y2=_MIDDLE)
    picture = element(
        "svg",
        line,
        dots,
        viewBox="0 0 1000 32",
        class_="strip",
        role="img",
        aria_label=f"{len(visits)} visits, {changes} of them found something new",
    )
    ends = element(
        "div",
        element("span", say_age(now_s - first_s)),
        element("span", _LEGEND),
        element("span", "now"),
        class_="strip-ends",
    )
    return element("div", picture, ends)


def _dot(visit: TimedVisit, place: float) -> Html:
    left = _EDGE + (_WIDE - 2 * _EDGE) * min(1.0, max(0.0, place))
    failed = visit.outcome in ("failed", "gone", "skipped")
    kind = "changed" if visit.changed else "failed" if failed else "same"
    return element("circle", class_=kind, cx=f"{left:.1f}", cy=_MIDDLE, r="7")


_LEGEND = "● changed  ○ as before"
