"""The elements that are open at a place of a page: what begins, and what ends with it.

End tags may be left out, may be wrong, and inline elements may end while blocks in them go on.
"""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.element_traits import (
    APART,
    BUTTON,
    CELL,
    CODE,
    INLINE,
    ITEM,
    LINK,
    LIST,
    PARAGRAPH,
    PREFORMATTED,
    ROW,
    SKIPPED,
    STRONG,
    TABLE,
    TERM,
)
from trapline.reading.blocks.letters import end_block
from trapline.reading.blocks.page_arrays import PageArrays, Record, Records
from trapline.reading.html.element_kinds import Bytes
from trapline.reading.html.tag_syntax import same_name
from trapline.theory.kernel import bare_kernel


@bare_kernel
def end_others(page: PageArrays, traits: int, at: int) -> None:
    """End what cannot go on where such an element begins: its end tag may be left out."""
    pen = page.pen[0]
    if traits & (ITEM | TERM):
        _end_open(page, traits & (ITEM | TERM), LIST | TABLE | CELL, at)
    elif traits & CELL:
        _end_open(page, CELL, TABLE, at)
    elif traits & ROW:
        _end_open(page, ROW, TABLE, at)
    elif traits & LINK:
        _end_link(page, at)
    if not traits & (INLINE | SKIPPED | BUTTON):
        level = pen.depth
        while level and page.open[level].traits & INLINE:
            level -= 1
        if page.open[level].traits & PARAGRAPH:
            pop_to(page, level - 1, at)


@bare_kernel
def _end_open(page: PageArrays, traits: int, limits: int, at: int) -> None:
    """End the nearest open element with such a trait, but not beyond one of the limits."""
    level = page.pen[0].depth
    while level > 0:
        found = page.open[level].traits
        if found & traits:
            pop_to(page, level - 1, at)
            return
        if found & limits:
            return
        level -= 1


@bare_kernel
def _end_link(page: PageArrays, at: int) -> None:
    """No link is in another link."""
    level = page.pen[0].depth
    while level > 0 and page.open[level].traits & INLINE:
        if page.open[level].traits & LINK:
            pop_to(page, level - 1, at)
            return
        level -= 1


@bare_kernel
def push(page: PageArrays, traits: int, name: int, size: int, hints: np.uint64) -> None:
    pen = page.pen[0]
    if pen.depth + 1 >= page.open.size:
        return
    _count_open(pen, traits, 1)
    above = page.open[pen.depth]
    pen.depth += 1
    here = page.open[pen.depth]
    here.traits = traits
    here.name = name
    here.size = size
    here.element = above.element
    here.hints = above.hints | hints
    if traits & (CODE | LINK):
        _begin_span(page, here)
    if not traits & INLINE:
        here.element = pen.elements
        here.hints = 0
        element = page.elements[pen.elements]
        element.parent = above.element
        element.first = pen.blocks
        element.depth = pen.depth
        element.tag = name + size
        element.traits = traits
        element.hints = hints
        pen.elements += 1


@bare_kernel
def _begin_span(page: PageArrays, here: Record) -> None:
    pen = page.pen[0]
    here.span = pen.spans
    span = page.spans[pen.spans]
    span.begin = pen.letters
    span.end = pen.letters
    span.tag = here.name + here.size if here.traits & LINK else 0
    pen.spans += 1


@bare_kernel
def _end_span(page: PageArrays, here: Record) -> None:
    if here.traits & (CODE | LINK):
        page.spans[here.span].end = page.pen[0].letters


@bare_kernel
def find_open(
    html: Bytes, open_: Records, level: int, traits: int, name: int, after: int
) -> int:
    """The level of the element that an end tag ends; 0 = there is none. Nothing ends beyond the
    cell of a table that it stands in.
    """
    size = after - name
    while level > 1:
        here = open_[level]
        if here.size == size and same_name(html, here.name, name, size):
            return level
        if here.traits & CELL and not traits & (CELL | ROW | TABLE):
            return 0
        level -= 1
    return 0


@bare_kernel
def has_block(page: PageArrays, level: int) -> bool:
    """Whether a block is open within an element."""
    return bool(page.open[page.pen[0].depth].element != page.open[level].element)


@bare_kernel
def disable(page: PageArrays, level: int) -> None:
    """An inline element ends, and blocks in it go on."""
    here = page.open[level]
    _count_open(page.pen[0], here.traits, -1)
    _end_span(page, here)
    here.traits = INLINE
    here.size = 0


@bare_kernel
def pop_to(page: PageArrays, level: int, at: int) -> None:
    """End all elements above a level, at a place of the page."""
    pen = page.pen[0]
    while pen.depth > level:
        here = page.open[pen.depth]
        if here.traits & APART:
            pen.closed = at
        if not here.traits & INLINE:
            end_block(pen, page.blocks, page.letters)
            page.elements[here.element].after = pen.blocks
        _count_open(pen, here.traits, -1)
        _end_span(page, here)
        pen.depth -= 1


@bare_kernel
def _count_open(pen: Record, traits: int, change: int) -> None:
    if not traits & (LINK | STRONG | SKIPPED | PREFORMATTED):
        return
    pen.linked += change * ((traits & LINK) != 0)
    pen.strong += change * ((traits & STRONG) != 0)
    pen.skipped += change * ((traits & SKIPPED) != 0)
    pen.preformatted += change * ((traits & PREFORMATTED) != 0)
