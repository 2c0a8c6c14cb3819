"""Reports kept as files: rows as the experiment gave them, numbers with nine digits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from trapline.laboratory.study.report import Cell, Report, file_name

FOLDER: Final = Path(__file__).parent
# In the order to show them.
SHIPPED: Final = (
    "whittle/table-1",
    "talim/table-1",
    "talim/table-2",
    "talim/fig-6",
    "talim/fig-7",
    "talim/fig-8",
    "lspe/table-1",
    "htraa/fig-5",
    "omeara/fig-4",
)
_DIGITS: Final = 9  # more are the machine's, not the experiment's


def load_shipped(name: str) -> Report:
    path = FOLDER / f"{file_name(name)}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Report(
        found["id"],
        found["title"],
        tuple(found["columns"]),
        found["rows"],
        found["remarks"],
    )


def as_text(report: Report) -> str:
    """A report as its file holds it, a row a line."""
    rows = [{name: _short(value) for name, value in row.items()} for row in report.rows]
    head = {
        "id": report.id,
        "title": report.title,
        "columns": report.columns,
        "remarks": report.remarks,
    }
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    text = json.dumps(head, ensure_ascii=False, indent=1)
    return f'{text[:-2]},\n "rows": [\n{lines}\n]}}\n'


def _short(value: Cell) -> Cell:
    if not isinstance(value, float):
        return value
    return float(f"{value:.{_DIGITS}g}")
