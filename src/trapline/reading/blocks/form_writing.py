"""The form of the blocks that are kept: what Markdown needs beside their words.

Four rows of bytes: the shapes around each block, as far as they are not those around the block
before; the gaps of code, and first numbers of lists; spans, which are code and links within lines;
and the targets of links, a line each. `reading/markdown/form.py` reads them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.reading.blocks.attributes import find_value
from trapline.reading.blocks.cell_places import read_number
from trapline.reading.blocks.page_arrays import PageArrays, Record
from trapline.reading.blocks.shapes import (
    DEEPEST_SHAPE,
    GRID_CELL,
    GRID_HEAD,
    GRID_ROW,
    LISTING,
    NUMBERS,
    find_shapes,
)
from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

MOST_SPANS: Final = 5_000
LONGEST_TARGET: Final = 500
MOST_TARGETS: Final = 100_000  # bytes of all
MOST_SKIPPED: Final = 7  # empty cells in a row that are counted
_LAST_START: Final = 999_999_999  # Markdown has no longer numbers
_HREF: Final = np.frombuffer(b"href", np.uint8)
_START: Final = np.frombuffer(b"start", np.uint8)


class FormArrays(NamedTuple):
    shapes: Bytes
    gaps: Bytes
    spans: Bytes
    targets: Bytes
    sizes: NDArray[np.int64]  # of these four


def form_arrays(page: PageArrays) -> FormArrays:
    """Enough room for the form of a page."""
    marks = len(page.blocks)
    return FormArrays(
        np.empty((DEEPEST_SHAPE + 1) * marks, np.uint8),
        np.empty(len(page.gaps), np.uint8),
        np.empty(15 * min(marks, MOST_SPANS), np.uint8),
        np.empty(MOST_TARGETS + LONGEST_TARGET + 1, np.uint8),
        np.zeros(4, np.int64),
    )


@bare_kernel
def write_form(page: PageArrays, form: FormArrays) -> None:
    find_shapes(page)
    before = 0
    line = 0
    span = 0
    span_line = 0
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        if block.kept:
            inner = page.elements[block.element].outer
            _write_shapes(page, form, before, inner)
            if page.elements[inner].shape == LISTING:
                _write_gaps(page, form, number)
            else:
                span, span_line = _write_spans(page, form, block, span, line, span_line)
            before = inner
            line += 1


@bare_kernel
def _up(page: PageArrays, number: int) -> int:
    return int(page.elements[page.elements[number].parent].outer)


@bare_kernel
def _write_shapes(
    page: PageArrays,
    form: FormArrays,
    before: int,
    inner: int,
) -> None:
    """How many shapes end before a block and how many begin, and which."""
    elements = page.elements
    common = before
    other = inner
    while common != other:
        if elements[common].level > elements[other].level:
            common = _up(page, common)
        elif elements[other].level > elements[common].level:
            other = _up(page, other)
        else:
            common = _up(page, common)
            other = _up(page, other)
    level = elements[common].level
    ended = elements[before].level - level
    begun = elements[inner].level - level
    size = form.sizes[0]
    form.shapes[size] = ended * 16 + begun
    for place in range(begun, 0, -1):
        form.shapes[size + place] = _shape_byte(page, elements[inner])
        if form.shapes[size + place] == NUMBERS + 32:
            first = _first_number(page, elements[inner])
            form.sizes[1] = _write_number(form.gaps, form.sizes[1], first)
        inner = _up(page, inner)
    form.sizes[0] = size + begun + 1


@bare_kernel
def _shape_byte(page: PageArrays, element: Record) -> int:
    """With the number of empty cells before a cell; 1 = a list does not begin with 1."""
    skipped = 0
    if element.shape == NUMBERS:
        skipped = int(_first_number(page, element) > 1)
    if element.shape in (GRID_CELL, GRID_HEAD):
        row = page.elements[page.elements[element.parent].outer]
        if row.shape == GRID_ROW:
            skipped = min(max(element.cells - row.written, 0), MOST_SKIPPED)
            row.written = min(element.cells + 1, 255)
    return int(element.shape + 32 * skipped)


@bare_kernel
def _first_number(page: PageArrays, element: Record) -> int:
    begin, end = find_value(page.html, element.tag, _START)
    return read_number(page.html, begin, end, _LAST_START)


@bare_kernel
def _write_gaps(page: PageArrays, form: FormArrays, number: int) -> None:
    for place in range(page.blocks[number].gaps, page.blocks[number + 1].gaps):
        form.gaps[form.sizes[1]] = page.gaps[place]
        form.sizes[1] += 1


@bare_kernel
def _write_spans(
    page: PageArrays,
    form: FormArrays,
    block: Record,
    span: int,
    line: int,
    span_line: int,
) -> tuple[int, int]:
    """Returns the first span of later blocks, and the line of the last one that was written."""
    last = min(page.pen[0].spans, MOST_SPANS)
    while span < last and page.spans[span].begin < block.end:
        found = page.spans[span]
        begin = max(found.begin, block.begin)
        end = min(found.end, block.end)
        begin += begin < end and page.letters[begin] == 32
        if begin < end and (found.tag == 0 or _write_target(page, form, found.tag)):
            size = _write_number(form.spans, form.sizes[2], line - span_line)
            size = _write_number(form.spans, size, begin - block.begin)
            length = (end - begin) * 2 + (found.tag > 0)
            form.sizes[2] = _write_number(form.spans, size, length)
            span_line = line
        span += 1
    return span, span_line


@bare_kernel
def _write_number(
    row: Bytes,
    size: int,
    number: int,
) -> int:
    """Seven bits a byte, the lowest first; a byte with the eighth bit is not the last. Returns
    where the next goes.
    """
    while number > 127:
        row[size] = number & 127 | 128
        size += 1
        number >>= 7
    row[size] = number
    return size + 1


@bare_kernel
def _write_target(page: PageArrays, form: FormArrays, tag: int) -> bool:
    """Where a link leads; False = nowhere else, or it is too long."""
    html = page.html
    begin, end = _strip_spaces(html, *find_value(html, tag, _HREF))
    size = form.sizes[3]
    if begin >= end or html[begin] == 35 or end - begin > LONGEST_TARGET:  # "#"
        return False
    if size + end - begin > MOST_TARGETS:
        return False
    for place in range(begin, end):
        code = html[place]
        if code not in (9, 10, 13):  # as browsers do
            if code < 32:
                return False
            form.targets[size] = code
            size += 1
    form.targets[size] = 10
    form.sizes[3] = size + 1
    return True


@bare_kernel
def _strip_spaces(html: Bytes, begin: int, end: int) -> tuple[int, int]:
    while begin < end and html[begin] <= 32:
        begin += 1
    while begin < end and html[end - 1] <= 32:
        end -= 1
    return begin, end
