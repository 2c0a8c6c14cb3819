"""Parts that pages with numbers are made of: tiles, tables, bars and places for charts.

Bars are pictures without words: what they show also stands in text beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from trapline.app.web.pages.markup import NOTHING, Html, element

Cell = str | Html
_NOT_DRAWN: Final = "It is drawn by a script; its numbers are on this page."
_NARROW: Final = 4  # columns
_WIDE: Final = 100.0  # of a bar's own units


def section(title: str, *content: Html) -> Html:
    return element("section", element("h2", title), *content)


def tile(name: str, value: Cell, remark: Cell = "", picture: Html = NOTHING) -> Html:
    """One number that matters, with what it means."""
    return element(
        "div",
        element("dt", name),
        element("dd", element("strong", value), picture),
        element("dd", remark, class_="soft") if remark else NOTHING,
        class_="tile",
    )


def tiles(*all_tiles: Html) -> Html:
    return element("dl", *all_tiles, class_="tiles")


def table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    words: Iterable[int] = (0,),
    empty: str = "Nothing yet.",
    stacks: bool = True,
) -> Html:
    """A table whose first column names its rows. `words` are columns that hold no numbers.

    A phone has no room for many columns: there each row becomes a list, if it `stacks`.
    """
    texts = frozenset(words)
    body = [_row(row, head, texts) for row in rows]
    if not body:
        body = [
            element("tr", element("td", empty, colspan=str(len(head)), class_="soft"))
        ]
    headings = [
        element("th", name, scope="col", class_=_kind(place, texts))
        for place, name in enumerate(head)
    ]
    return element(
        "table",
        element("caption", caption, class_="unseen"),
        element("thead", element("tr", headings)),
        element("tbody", body),
        class_="stacked" if stacks and len(head) > _NARROW else None,
    )


def scroller(caption: str, wide: Html, name: str | None = None) -> Html:
    """A place in which a wide table can be moved sideways, also by arrows."""
    return element(
        "div",
        wide,
        id=name,
        class_="wide",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def _row(row: Sequence[Cell], head: Sequence[str], texts: frozenset[int]) -> Html:
    cells = [
        element(
            "td" if place else "th",
            cell,
            scope=None if place else "row",
            class_=_kind(place, texts),
            data_name=head[place],
        )
        for place, cell in enumerate(row)
    ]
    return element("tr", cells)


def _kind(place: int, texts: frozenset[int]) -> str | None:
    return None if place in texts else "number"


def chart(name: str, title: str, told: str, numbers: Html = NOTHING) -> Html:
    """A place that a module draws into; `told` says in words what is to be seen."""
    details = element("details", element("summary", "The numbers"), numbers)
    return element(
        "figure",
        element("figcaption", title),
        element("div", id=name, class_="plot", role="img", aria_label=told),
        element("noscript", element("p", f"{told} {_NOT_DRAWN}", class_="soft")),
        details if numbers else NOTHING,
        class_="chart",
    )


def band(low: float, value: float, high: float) -> Html:
    """A share with the band in which it lies, between 0 and 1."""
    left, middle, right = (_WIDE * min(1.0, max(0.0, x)) for x in (low, value, high))
    return _bar(
        _box("track", 0.0, _WIDE),
        _box("band", left, max(0.8, right - left)),
        _box("point", max(0.0, middle - 0.6), 1.2),
    )


def shares_bar(shares: Sequence[float]) -> Html:
    """Shares of a whole, side by side."""
    boxes = []
    left = 0.0
    for place, share in enumerate(shares, 1):
        width = _WIDE * min(1.0, max(0.0, share))
        boxes.append(_box(f"part-{place}", left, width))
        left += width
    return _bar(_box("track", 0.0, _WIDE), *boxes)


def _bar(*boxes: Html) -> Html:
    return element(
        "svg",
        *boxes,
        class_="bar-picture",
        viewBox="0 0 100 6",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _box(kind: str, left: float, width: float) -> Html:
    return element(
        "rect", class_=kind, x=f"{left:.2f}", y="0", width=f"{width:.2f}", height="6"
    )
