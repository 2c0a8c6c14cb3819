"""The shapes of a page: headings, lists, tables, quotes, code; what Markdown can say of them."""

from __future__ import annotations

from typing import Final

from trapline.reading.blocks.cell_places import place_cell
from trapline.reading.blocks.element_traits import (
    CAPTION,
    CELL,
    DEFINITION,
    HEAD_CELL,
    HEADING,
    ITEM,
    LIST,
    ORDERED,
    PREFORMATTED,
    QUOTE,
    RANK,
    ROW,
    TABLE,
    TERM,
)
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.theory.kernel import bare_kernel

# Headings are 1 to 6.
LOWEST_HEADING: Final = 6
BULLETS: Final = 7
NUMBERS: Final = 8
LIST_ITEM: Final = 9
DEFINED_TERM: Final = 10
ITS_DEFINITION: Final = 11
QUOTATION: Final = 12
GRID: Final = 13
GRID_ROW: Final = 14
GRID_CELL: Final = 15
GRID_HEAD: Final = 16  # a cell with a heading
LISTING: Final = 17  # code
TABLE_TITLE: Final = 18

DEEPEST_SHAPE: Final = 15  # what is deeper has the shape of what is around it


@bare_kernel
def find_shapes(page: PageArrays) -> None:
    """Note for all elements which shape they have, and which is around them."""
    for number in range(page.pen[0].elements):
        element = page.elements[number]
        element.shape = 0
        element.level = 0
        element.outer = 0
        element.cells = 0
        element.rows = 0
        element.tall = 0
        element.written = 0
        if number:
            _find_shape(page, number)


@bare_kernel
def _find_shape(page: PageArrays, number: int) -> None:
    element = page.elements[number]
    outer = page.elements[element.parent].outer
    around = page.elements[outer]
    shape = shape_of(element.traits)
    if around.shape == LISTING or around.level >= DEEPEST_SHAPE:
        shape = 0
    if shape == GRID_ROW and around.shape == GRID:
        around.rows += 1
        element.rows = around.rows
    if shape in (GRID_CELL, GRID_HEAD) and around.shape == GRID_ROW:
        place_cell(page, number, outer)
    element.shape = shape
    element.outer = number if shape else outer
    element.level = around.level + (shape > 0)


@bare_kernel
def shape_of(traits: int) -> int:
    """The shape of an element by its traits; 0 = none."""
    if traits & HEADING:
        return traits >> RANK & 7
    if traits & LIST:
        return NUMBERS if traits & ORDERED else BULLETS
    if traits & ITEM:
        return LIST_ITEM
    if traits & TERM:
        return ITS_DEFINITION if traits & DEFINITION else DEFINED_TERM
    if traits & CELL:
        return GRID_HEAD if traits & HEAD_CELL else GRID_CELL
    return _rare_shape(traits)


@bare_kernel
def _rare_shape(traits: int) -> int:
    if traits & PREFORMATTED:
        return LISTING
    if traits & ROW:
        return GRID_ROW
    if traits & TABLE:
        return GRID
    if traits & QUOTE:
        return QUOTATION
    return TABLE_TITLE if traits & CAPTION else 0
