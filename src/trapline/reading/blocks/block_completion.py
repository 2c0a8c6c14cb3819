"""What belongs to blocks of the main content, whatever its own score: headings, names, cells.

A short line in capitals above a paragraph, the signature between the name of a function and its
description, the cell with the name that the next cell explains: by themselves they look like a
menu. They are kept where what they belong to is kept.
"""

from __future__ import annotations

from typing import Final

from trapline.reading.blocks.element_traits import HEADING, RANK, ROW
from trapline.reading.blocks.layout import FRAME
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.theory.kernel import bare_kernel

_HEADING_LEAST: Final = -4.0  # the score of a heading: what has less is furniture
_HIGHEST: Final = 4  # levels between the words of a heading and its element
_BLOCKS_OF_HEADING: Final = 6  # what has more was never closed
_BETWEEN: Final = 3  # blocks between a heading and the main content of its section,
_BETWEEN_LEAST: Final = -1.0  # their score,
_BETWEEN_WIDTH: Final = 300  # and their letters
_ROW_WIDTH: Final = 600  # letters: rows with more lay out a page,
_ROWS: Final = 3  # and so do tables with fewer rows
_CELL_LEAST: Final = -4.0


@bare_kernel
def keep_what_belongs(page: PageArrays) -> None:
    """Keep more blocks: those that belong to blocks that are kept."""
    _keep_rows(page)
    _keep_headings(page)


@bare_kernel
def _keep_rows(page: PageArrays) -> None:
    """All cells of a row in which one is kept."""
    elements = page.elements
    for number in range(page.pen[0].elements):
        elements[number].cells = 0
        if elements[number].traits & ROW:
            elements[elements[number].parent].cells += 1
    for number in range(page.pen[0].elements):
        row = elements[number]
        width = page.sums[row.after].width - page.sums[row.first].width
        is_row = row.traits & ROW and elements[row.parent].cells >= _ROWS
        if is_row and width <= _ROW_WIDTH and _any_kept(page, row.first, row.after):
            for block in range(row.first, row.after):
                page.blocks[block].kept |= _may_be_kept(page, block, _CELL_LEAST)


@bare_kernel
def _any_kept(
    page: PageArrays,
    first: int,
    after: int,
) -> bool:
    for number in range(first, after):  # noqa: SIM110 (kernels know no generator)
        if page.blocks[number].kept:
            return True
    return False


@bare_kernel
def _may_be_kept(
    page: PageArrays,
    number: int,
    least: float,
) -> bool:
    block = page.blocks[number]
    framed = page.elements[block.element].traits_above & FRAME != 0
    return block.named_score > least and not framed


@bare_kernel
def _keep_headings(page: PageArrays) -> None:
    """Headings above what is kept, and what little stands between them."""
    kept = -1  # the block of the main content that comes next; -1 = none is near
    width = 0
    for number in range(page.pen[0].blocks - 1, -1, -1):
        block = page.blocks[number]
        heading = _heading_of(page, block.element) if kept >= 0 else 0
        if heading > 0 and (block.kept or _may_be_kept(page, number, _HEADING_LEAST)):
            _keep_section(page, number, heading, kept)
        if block.kept:
            kept = number
            width = 0
        elif kept >= 0:
            width += block.width
            near = kept - number <= _BETWEEN and width <= _BETWEEN_WIDTH
            if not near or not _may_be_kept(page, number, _BETWEEN_LEAST):
                kept = -1


@bare_kernel
def _keep_section(
    page: PageArrays,
    number: int,
    heading: int,
    kept: int,
) -> None:
    """The heading at a block, if the block that is kept is in its section, and what is between
    them. Below the title of a page that is who wrote it and when, no part of it.
    """
    element = page.elements[heading]
    if kept == number + 1 or kept < page.elements[element.parent].after:
        title = element.traits >> RANK & 7 == 1
        for block in range(number, number + 1 if title else kept):
            page.blocks[block].kept = True


@bare_kernel
def _heading_of(page: PageArrays, element: int) -> int:
    """The heading that an element is in; 0 = none."""
    for _ in range(_HIGHEST):
        found = page.elements[element]
        if found.traits & HEADING:
            short = found.after - found.first <= _BLOCKS_OF_HEADING
            return element if short else 0
        element = found.parent
    return 0
