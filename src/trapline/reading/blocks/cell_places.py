"""In which column a cell of a table stands: others may be several columns wide or rows tall.

The cells of a table that go on in later rows are a chain, the latest first.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.reading.blocks.attributes import find_value
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

_COLUMNS: Final = np.frombuffer(b"colspan", np.uint8)
_ROWS: Final = np.frombuffer(b"rowspan", np.uint8)
_MOST_COLUMNS: Final = 1_000  # as HTML has it,
_MOST_ROWS: Final = 65_534
_MOST_TALL: Final = 64  # cells of a chain that are looked at


@bare_kernel
def place_cell(
    page: PageArrays,
    number: int,
    row_number: int,
) -> None:
    """Note how many columns are before a cell."""
    cell = page.elements[number]
    row = page.elements[row_number]
    table = page.elements[page.elements[row.parent].outer]
    column = _free_column(page, table.tall, row.rows, row.cells)
    columns = _number_in(page.html, cell.tag, _COLUMNS, _MOST_COLUMNS)
    rows = _number_in(page.html, cell.tag, _ROWS, _MOST_ROWS)
    cell.cells = column
    row.cells = column + columns
    if rows > 1 and row.rows:
        cell.rows = row.rows + rows
        cell.columns = columns
        cell.tall = table.tall
        table.tall = number


@bare_kernel
def _free_column(
    page: PageArrays,
    tall: int,
    row: int,
    column: int,
) -> int:
    """The first column from one on that no taller cell takes in a row."""
    moved = True
    while moved:
        moved = False
        found = tall
        seen = 0
        while found and seen < _MOST_TALL:
            cell = page.elements[found]
            after = cell.cells + cell.columns
            if row < cell.rows and cell.cells <= column < after:
                column = after
                moved = True
            found = cell.tall
            seen += 1
    return column


@bare_kernel
def _number_in(
    html: Bytes,
    tag: int,
    name: Bytes,
    most: int,
) -> int:
    """The number that an attribute says, from 1 on."""
    begin, end = find_value(html, tag, name)
    return max(1, read_number(html, begin, end, most))


@bare_kernel
def read_number(
    html: Bytes,
    begin: int,
    end: int,
    most: int,
) -> int:
    """The digits that stand there as a number; 0 = there are none."""
    number = 0
    while begin < end and html[begin] <= 32:
        begin += 1
    while begin < end and 48 <= html[begin] <= 57 and number < most:
        number = number * 10 + html[begin] - 48
        begin += 1
    return min(number, most)
