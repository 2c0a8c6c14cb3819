"""What `why` prints: reasons, learnt rates, and the visits that taught them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from trapline.app.output.standard_output import print_json
from trapline.app.printing.fact_table import RowTable, print_facts, print_table

if TYPE_CHECKING:
    # it brings a controller back, which takes a compiler
    from trapline.app.folder.reasons import Reasons
    from trapline.app.folder.time_line import TimedVisit, TimeLine

_SHOWN: Final = 10  # visits


def print_reasons(reasons: Reasons, as_json: bool) -> None:
    if as_json:
        print_json(reasons.as_dict())
        return
    print_facts(reasons.url, reasons.lines())
    if reasons.time_line.visits:
        print_table(_visit_table(reasons.time_line))


def _visit_table(line: TimeLine) -> RowTable:
    newest = line.visits[-_SHOWN:][::-1]
    title = "visits, newest first"
    return RowTable(title, ("when", "found", "price", "remark"), map(_row, newest))


def _row(visit: TimedVisit) -> tuple[str, str, str, str]:
    when = datetime.fromtimestamp(visit.ended_s).isoformat(" ", "seconds")
    price = "in turn" if visit.price is None else f"{visit.price:.3g}"
    return when, _finding(visit), price, visit.remark


def _finding(visit: TimedVisit) -> str:
    if visit.outcome in ("ok", "unchanged") or not visit.status:
        return visit.found
    return f"{visit.found} ({visit.status})"
