"""A walk over the tags of a page: one kernel, once over every byte.

It goes by the rules of HTML (html/tag_syntax.py), as far as they matter for blocks: what ends where
another element begins, and which end tags count. Wrongly nested markup may put a block into other
elements than a tree would, but no word is lost.
"""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.attributes import read_attributes
from trapline.reading.blocks.element_traits import (
    APART,
    BREAK,
    BUTTON,
    CELL,
    FOREIGN,
    INLINE,
    ITEM,
    LINK,
    LIST,
    PARAGRAPH,
    PREFORMATTED,
    RAW,
    ROW,
    SKIPPED,
    STRONG,
    TABLE,
    TERM,
    UNSEEN,
    VOID,
    traits_of,
)
from trapline.reading.blocks.letters import begin_block, end_block, write_text
from trapline.reading.blocks.page_arrays import PageArrays, Records
from trapline.reading.html.element_kinds import Bytes
from trapline.reading.html.tag_syntax import (
    is_letter,
    is_mark,
    is_self_closed,
    is_stroke,
    mark_end,
    name_end,
    raw_end,
    same_name,
    tag_end,
)
from trapline.theory.kernel import bare_kernel


@bare_kernel
def walk_page(page: PageArrays) -> None:
    """Note all elements, blocks and letters of a page."""
    html = page.html
    begin_block(page.pen[0], page.blocks)
    _push(page, 0, 0, 0, np.uint64(0))
    at = 0
    while at < html.size:
        start = _skip_space(html, at)
        if start >= html.size or is_mark(html, start):
            page.pen[0].gap |= start > at
        else:
            start = write_text(page, at)
        if is_letter(html, start + 1):
            at = _open(page, start)
        elif is_stroke(html, start + 1) and is_letter(html, start + 2):
            at = _close(page, start)
        elif start < html.size:
            at = mark_end(html, start, False)
        else:
            at = start
    _pop_to(page, 0, at)


@bare_kernel
def _skip_space(html: Bytes, at: int) -> int:
    while at < html.size and html[at] <= 32:
        at += 1
    return at


@bare_kernel
def _open(page: PageArrays, start: int) -> int:
    """A start tag. Returns where it is read on."""
    html = page.html
    pen = page.pen[0]
    after = name_end(html, start + 1)
    traits = traits_of(html, start + 1, after)
    end, hints, role = read_attributes(html, after)
    if traits & RAW:
        close = raw_end(html, start + 1, after - start - 1, end)
        return close if close >= html.size else close - 1
    if not traits & INLINE or (traits & LINK and pen.linked):
        _end_others(page, traits, start)
        if not traits & INLINE:
            end_block(pen, page.blocks, page.letters)
    if traits & (VOID | UNSEEN):
        if traits & BREAK:
            _note_break(page)
        return end
    if traits & FOREIGN and is_self_closed(html, start, end):
        return end
    if traits & APART and pen.closed == start and not pen.preformatted:
        pen.gap = True
    _push(page, traits | role, start + 1, after - start - 1, hints)
    return end


@bare_kernel
def _end_others(page: PageArrays, traits: int, at: int) -> None:
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
            _pop_to(page, level - 1, at)


@bare_kernel
def _end_open(page: PageArrays, traits: int, limits: int, at: int) -> None:
    """End the nearest open element with such a trait, but not beyond one of the limits."""
    level = page.pen[0].depth
    while level > 0:
        found = page.open[level].traits
        if found & traits:
            _pop_to(page, level - 1, at)
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
            _pop_to(page, level - 1, at)
            return
        level -= 1


@bare_kernel
def _note_break(page: PageArrays) -> None:
    """Two line breaks end a block, one is a space."""
    pen = page.pen[0]
    pen.gap = True
    pen.breaks += 1
    if pen.breaks > 1:
        end_block(pen, page.blocks, page.letters)


@bare_kernel
def _push(
    page: PageArrays, traits: int, name: int, size: int, hints: np.uint64
) -> None:
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
    if not traits & INLINE:
        here.element = pen.elements
        here.hints = 0
        element = page.elements[pen.elements]
        element.parent = above.element
        element.first = pen.blocks
        element.depth = pen.depth
        element.traits = traits
        element.hints = hints
        pen.elements += 1


@bare_kernel
def _close(page: PageArrays, start: int) -> int:
    """An end tag. Returns where it is read on."""
    html = page.html
    name = start + 2
    after = name_end(html, name)
    end = tag_end(html, after)
    traits = traits_of(html, name, after)
    if traits & UNSEEN:
        end_block(page.pen[0], page.blocks, page.letters)
    level = _find_open(html, page.open, page.pen[0].depth, traits, name, after)
    if level > 0:
        if traits & INLINE and _has_block(page, level):
            _disable(page, level)
        else:
            _pop_to(page, level - 1, end)
    return end


@bare_kernel
def _find_open(
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
def _has_block(page: PageArrays, level: int) -> bool:
    """Whether a block is open within an element."""
    return page.open[page.pen[0].depth].element != page.open[level].element


@bare_kernel
def _disable(page: PageArrays, level: int) -> None:
    """An inline element ends, and blocks in it go on."""
    here = page.open[level]
    _count_open(page.pen[0], here.traits, -1)
    here.traits = INLINE
    here.size = 0


@bare_kernel
def _pop_to(page: PageArrays, level: int, at: int) -> None:
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
        pen.depth -= 1


@bare_kernel
def _count_open(pen: Records, traits: int, change: int) -> None:
    if not traits & (LINK | STRONG | SKIPPED | PREFORMATTED):
        return
    pen.linked += change * ((traits & LINK) != 0)
    pen.strong += change * ((traits & STRONG) != 0)
    pen.skipped += change * ((traits & SKIPPED) != 0)
    pen.preformatted += change * ((traits & PREFORMATTED) != 0)
