"""A walk over the tags of a page: one kernel, once over every byte.

It goes by the rules of HTML (reading/html/tag_syntax.py), as far as they matter for blocks: what
ends where another element begins, and which end tags count. Wrongly nested markup may put a block
into other elements than a tree would, but no word is lost.
"""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.attributes import read_attributes
from trapline.reading.blocks.code_gaps import note_line, skip_gap
from trapline.reading.blocks.element_traits import (
    APART,
    BREAK,
    FOREIGN,
    INLINE,
    LINK,
    RAW,
    UNSEEN,
    VOID,
    traits_of,
)
from trapline.reading.blocks.letters import begin_block, end_block, write_text
from trapline.reading.blocks.open_elements import (
    disable,
    end_others,
    find_open,
    has_block,
    pop_to,
    push,
)
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.reading.html.element_kinds import Bytes
from trapline.reading.html.tag_syntax import (
    is_letter,
    is_mark,
    is_self_closed,
    is_stroke,
    mark_end,
    name_end,
    raw_end,
    tag_end,
)
from trapline.theory.kernel import bare_kernel


@bare_kernel
def walk_page(page: PageArrays) -> None:
    """Note all elements, blocks and letters of a page."""
    html = page.html
    begin_block(page.pen[0], page.blocks)
    push(page, 0, 0, 0, np.uint64(0))
    at = 0
    while at < html.size:
        start = _skip_space(html, at)
        if start >= html.size or is_mark(html, start):
            page.pen[0].gap |= start > at
            if page.pen[0].preformatted:
                skip_gap(html, page.pen[0], at, start)
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
    pop_to(page, 0, at)


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
        end_others(page, traits, start)
        if not traits & INLINE:
            end_block(pen, page.blocks, page.letters)
    if traits & (VOID | UNSEEN):
        if traits & BREAK:
            _note_break(page)
        return end
    if traits & FOREIGN and is_self_closed(html, start, end):
        return end
    if traits & APART and pen.closed == start and not pen.preformatted:
        pen.seam = True
    push(page, traits | role, start + 1, after - start - 1, hints)
    return end


@bare_kernel
def _note_break(page: PageArrays) -> None:
    """Two line breaks end a block, one is a space."""
    pen = page.pen[0]
    pen.gap = True
    note_line(pen)
    pen.breaks += 1
    if pen.breaks > 1:
        end_block(pen, page.blocks, page.letters)


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
    level = find_open(html, page.open, page.pen[0].depth, traits, name, after)
    if level > 0:
        if traits & INLINE and has_block(page, level):
            disable(page, level)
        else:
            pop_to(page, level - 1, end)
    return end
