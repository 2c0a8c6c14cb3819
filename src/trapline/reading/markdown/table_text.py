"""Tables. Those that only lay out a page are no tables: what is in them is written in order."""

from __future__ import annotations

from typing import Final

from trapline.reading.blocks.shapes import (
    GRID,
    GRID_HEAD,
    GRID_ROW,
    LIST_ITEM,
    LISTING,
    LOWEST_HEADING,
)
from trapline.reading.markdown.code_text import write_code_in_line
from trapline.reading.markdown.form_tree import Branch, Leaf
from trapline.reading.markdown.line_text import LineWriter

MOST_COLUMNS: Final = 64
LONGEST_CELL: Final = 2_000  # letters: what says more is no cell


def table_text(table: Branch, lines: LineWriter) -> list[str] | None:
    """What stands before the rows, and the rows; None = it is only a layout."""
    rows = [part for part in _branches(table) if _is_row(part)]
    others = [part for part in table.parts if not _is_row(part)]
    columns = max(map(_width, rows), default=0)
    compares = any(len(row.parts) > 1 for row in rows)
    if not compares or columns > MOST_COLUMNS or any(map(_lays_out, table.parts)):
        return None
    if len(rows) == 1 and _has_code(table):  # beside the numbers of its lines
        return None
    cells = [_cells_of(row, lines) for row in rows]
    if any(len(cell) > LONGEST_CELL for row in cells for cell in row):
        return None
    head = cells.pop(0) if _is_head(rows[0]) else []
    head += [""] * (columns - len(head))
    written = [_row_text(head), _row_text(["---"] * columns), *map(_row_text, cells)]
    before = [_cell_text(part, lines) for part in others]
    return [*before, "\n".join(written)]


def _is_row(part: Leaf | Branch) -> bool:
    return isinstance(part, Branch) and part.shape == GRID_ROW


def _branches(branch: Branch) -> list[Branch]:
    return [part for part in branch.parts if isinstance(part, Branch)]


def _width(row: Branch) -> int:
    empty = sum(cell.skipped for cell in _branches(row))
    return empty + len(row.parts)


def _is_head(row: Branch) -> bool:
    return {cell.shape for cell in _branches(row)} == {GRID_HEAD}


def _lays_out(part: Leaf | Branch) -> bool:
    """Whether there is something that no cell can hold."""
    if isinstance(part, Leaf):
        return False
    if part.shape == GRID or 1 <= part.shape <= LOWEST_HEADING:
        return True
    return any(map(_lays_out, part.parts))


def _has_code(branch: Branch) -> bool:
    return branch.shape == LISTING or any(map(_has_code, _branches(branch)))


def _cells_of(row: Branch, lines: LineWriter) -> list[str]:
    cells: list[str] = []
    for part in row.parts:
        if isinstance(part, Branch):
            cells += [""] * part.skipped
        cells.append(_cell_text(part, lines))
    return cells


def _cell_text(part: Leaf | Branch, lines: LineWriter) -> str:
    """Its lines in one."""
    if isinstance(part, Leaf):
        return lines.write(part).replace("|", r"\|")
    if part.shape == LISTING:
        return write_code_in_line(part.parts).replace("|", r"\|")
    mark = "- " if part.shape == LIST_ITEM else ""
    return mark + "<br>".join(_cell_text(inner, lines) for inner in part.parts)


def _row_text(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
