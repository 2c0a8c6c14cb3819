"""A walk over the markup of a page: one kernel, once over every byte.

The markup is that which a tree was written out as, so every element is closed, every value of an
attribute is quoted, and nothing is hidden. Should it be wrong somewhere, the walk goes on.
"""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.attributes import read_attributes
from trapline.reading.blocks.element_traits import (
    APART,
    BREAK,
    INLINE,
    LINK,
    PREFORMATTED,
    RAW,
    SKIPPED,
    STRONG,
    VOID,
    traits_of,
)
from trapline.reading.blocks.letters import begin_block, end_block, write_text
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel


@bare_kernel
def walk_page(page: PageArrays) -> None:
    """Note all elements, blocks and letters of a page."""
    html = page.html
    at = 0
    begin_block(page)
    while at < html.size:
        if html[at] != 60:  # <
            at = write_text(page, at)
        elif at + 1 < html.size and html[at + 1] == 47:  # /
            at = _skip_to(html, at, 62)
            _close(page, at)
        elif at + 1 < html.size and html[at + 1] == 33:  # !
            at = _comment_end(html, at)
        else:
            at = _open(page, at)
    end_block(page)
    while page.pen[0].depth:
        _close(page, at)


@bare_kernel
def _skip_to(html: Bytes, at: int, code: int) -> int:
    """The place after the next such sign."""
    while at < html.size and html[at] != code:
        at += 1
    return at + 1


@bare_kernel
def _comment_end(html: Bytes, at: int) -> int:
    at += 4
    while at < html.size and not (
        html[at] == 62 and html[at - 1] == 45 and html[at - 2] == 45
    ):
        at += 1
    return at + 1


@bare_kernel
def _open(page: PageArrays, start: int) -> int:
    """A start tag. Returns where it is read on."""
    html = page.html
    pen = page.pen[0]
    at = start + 1
    while at < html.size and html[at] > 32 and html[at] != 62:
        at += 1
    traits = traits_of(html, start + 1, at)
    end, hints, role = read_attributes(html, at)
    if traits & RAW:
        return _raw_end(html, end, html[start + 1])
    if not traits & INLINE:
        end_block(page)
    if traits & VOID:
        _note_break(page, traits)
        return end
    if traits & APART and pen.closed == start and not pen.preformatted:
        pen.gap = True
    _push(page, traits | role, hints)
    return end


@bare_kernel
def _note_break(page: PageArrays, traits: int) -> None:
    """Two line breaks end a block, one is a space."""
    pen = page.pen[0]
    if traits & BREAK:
        pen.gap = True
        pen.breaks += 1
        if pen.breaks > 1:
            end_block(page)


@bare_kernel
def _raw_end(html: Bytes, at: int, letter: int) -> int:
    """The place after the end tag of an element that has no markup in it."""
    while at + 2 < html.size and not (
        html[at] == 60 and html[at + 1] == 47 and html[at + 2] == letter
    ):
        at += 1
    return _skip_to(html, at, 62)


@bare_kernel
def _push(page: PageArrays, traits: int, hints: np.uint64) -> None:
    pen = page.pen[0]
    pen.depth += 1
    if pen.depth >= page.open.size:
        return
    _count_open(page, traits, 1)
    above = page.open[pen.depth - 1]
    here = page.open[pen.depth]
    here.traits = traits
    if traits & INLINE:
        here.element = above.element
        here.hints = above.hints | hints
        return
    here.element = pen.elements
    here.hints = np.uint64(0)
    element = page.elements[pen.elements]
    element.parent = above.element
    element.first = pen.blocks
    element.depth = pen.depth
    element.traits = traits
    element.hints = hints
    pen.elements += 1


@bare_kernel
def _close(page: PageArrays, at: int) -> None:
    """An end tag that is read to its end: it ends what is open."""
    pen = page.pen[0]
    if pen.depth == 0:
        return
    if pen.depth < page.open.size:
        here = page.open[pen.depth]
        if here.traits & APART:
            pen.closed = at
        if not here.traits & INLINE:
            end_block(page)
            page.elements[here.element].after = pen.blocks
        _count_open(page, here.traits, -1)
    pen.depth -= 1


@bare_kernel
def _count_open(page: PageArrays, traits: int, change: int) -> None:
    pen = page.pen[0]
    pen.linked += change * ((traits & LINK) != 0)
    pen.strong += change * ((traits & STRONG) != 0)
    pen.skipped += change * ((traits & SKIPPED) != 0)
    pen.preformatted += change * ((traits & PREFORMATTED) != 0)
