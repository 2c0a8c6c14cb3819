"""An experiment's table on a page: the paper's number and ours in one cell where that helps."""

from __future__ import annotations

from collections.abc import Sequence

from trapline.app.web.pages.figures import scroller, table
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.wording import say_number
from trapline.laboratory.study.report import Cell, Report, Row

_WORDS = ("id", "remark")


def report_table(report: Report) -> Html:
    """What the paper says and what we find; below it, what that was judged by."""
    claims = [row for row in report.rows if row.get("claim")]
    rows = [row for row in report.rows if not row.get("claim")]
    # inside the details: a link to it opens them
    return scroller(
        f"Table of {report.id}",
        join(_claims(report.id, claims) if claims else NOTHING, _numbers(report, rows)),
        table_id(report.id),
    )


def _claims(name: str, claims: Sequence[Row]) -> Html:
    rows = [
        (
            str(row["claim"]),
            _verdict(str(row["verdict"])),
            say_number(_number(row["ours"])),
            f"{say_number(_number(row['low']))} to {say_number(_number(row['high']))}",
            str(row["id"]).partition("/")[2],
        )
        for row in claims
    ]
    head = ("The paper says", "It", "by", "95 times in 100", "Id")
    caption = f"{name}: the paper's words, judged"
    return table(
        caption,
        head,
        rows,
        words=(0, 1, 4),
        stacks=False,
    )


def _number(value: Cell) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _verdict(said: str) -> Html:
    tick = element("span", " ✓", class_="tick")
    return join(said, tick if said == "holds" else NOTHING)


def _numbers(report: Report, rows: Sequence[Row]) -> Html:
    """Rows like `case/quantity` become a line a case, if all cases have the same quantities."""
    cases = _by_case(rows)
    quantities = list(next(iter(cases.values()), {}))
    alike = all(list(case) == quantities for case in cases.values())
    # of one case alone the line would be as long as its table is now high
    several = len(quantities) > 1 and len(cases) > 1
    if alike and several and _is_filled(rows, "paper"):
        return _table_by_case(report, cases, quantities)
    return _plain(report, rows)


def table_id(name: str) -> str:
    return name.replace("/", "-")


def _by_case(rows: Sequence[Row]) -> dict[str, dict[str, Row]]:
    cases: dict[str, dict[str, Row]] = {}
    for row in rows:
        case, _, quantity = str(row["id"]).rpartition("/")
        cases.setdefault(case, {})[quantity] = row
    return cases


def _table_by_case(
    report: Report, cases: dict[str, dict[str, Row]], quantities: list[str]
) -> Html:
    rows = [
        (case, *(_beside(row) for row in found.values()))
        for case, found in cases.items()
    ]
    return table(
        f"{report.id}: paper and ours", ("Case", *quantities), rows, stacks=False
    )


def _beside(row: Row) -> Html:
    """The paper's number, ticked, or with ours below it."""
    paper = row["paper"]
    ours = row["ours"]
    if agrees(paper, ours):
        return join(_say(paper), element("span", " ✓", class_="tick"))
    ours_said = element("span", f"ours {_say(ours)}", class_="ours")
    why = str(row.get("remark") or "")
    return element(
        "span",
        _say(paper),
        " ",
        ours_said,
        title=why or None,
    )


def _plain(report: Report, rows: Sequence[Row]) -> Html:
    """A line a row; columns in which nothing stands are left out."""
    names = [name for name in report.columns if _is_filled(rows, name)]
    words = [place for place, name in enumerate(names) if name in _WORDS]
    cells = [[_cell(row, name) for name in names] for row in rows]
    head = [name.capitalize() if name == "id" else name for name in names]
    return table(
        f"{report.id}: paper and ours",
        head,
        cells,
        words=words,
        stacks=False,
    )


def _is_filled(rows: Sequence[Row], name: str) -> bool:
    return any(row.get(name) not in (None, "") for row in rows)


def _cell(row: Row, name: str) -> str | Html:
    value = row.get(name)
    if name == "ours" and agrees(row.get("paper"), value):
        return join(_say(value), element("span", " ✓", class_="tick"))
    return f"{value:.2g}" if name == "difference" and value else _say(value)


def agrees(paper: Cell, ours: Cell) -> bool:
    """Whether ours, rounded as the paper rounds, is the paper's.

    >>> agrees(0.17541, 0.175405), agrees(73, 73), agrees(254.66, 260.39), agrees(None, 1.0)
    (True, True, False, False)
    """
    if not isinstance(paper, int | float) or not isinstance(ours, int | float):
        return False
    decimals = len(repr(paper).partition(".")[2])
    return round(ours, decimals) == round(paper, decimals)


def _say(value: Cell) -> str:
    if value is None:
        return "–"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
