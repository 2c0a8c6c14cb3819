"""Visits of a page on a line of time: a dot a visit, a filled one where something was new or had
changed.
"""

from __future__ import annotations

from trapline.app.folder.time_line import TimedVisit
from trapline.app.web.pages.markup import Html, element
from trapline.app.web.pages.wording import say_age
from trapline.policies.wording import say_count

_EDGE = 1.5  # per cent of the width
_MIDDLE = "50%"


def visit_strip(visits: list[TimedVisit], now_s: float) -> Html:
    first_s = visits[0].ended_s
    length_s = max(1.0, now_s - first_s)
    changes = sum(visit.changed for visit in visits)
    dots = [_dot(visit, (visit.ended_s - first_s) / length_s) for visit in visits]
    ends_at = f"{100.0 - _EDGE}%"
    line = element("line", x1=f"{_EDGE}%", x2=ends_at, y1=_MIDDLE, y2=_MIDDLE)
    picture = element(
        "svg",
        line,
        dots,
        class_="strip",
        role="img",
        aria_label=f"{say_count(len(visits), 'visit')}, {changes} of them found something new",
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
    left = _EDGE + (100.0 - 2 * _EDGE) * min(1.0, max(0.0, place))
    failed = visit.outcome in ("failed", "gone", "skipped")
    kind = "changed" if visit.changed else "failed" if failed else "same"
    return element("circle", class_=kind, cx=f"{left:.2f}%", cy=_MIDDLE, r="6")


_LEGEND = "● new or changed  ○ as before"
