"""The letters of a page, block by block, with one space between words."""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.letter_kinds import (
    CAPITAL,
    COMMA,
    DIGIT,
    KINDS,
    LEAD,
    SPACE,
    STOP,
    WIDE,
    space_size,
    wide_kind,
)
from trapline.reading.blocks.page_arrays import PageArrays, Records
from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel


@bare_kernel
def write_text(page: PageArrays, at: int) -> int:
    """Add the text up to the next tag to the block. Returns where that is."""
    html = page.html
    pen = page.pen[0]
    if pen.skipped:
        while at < html.size and html[at] != 60:
            at += 1
        return at
    block = page.blocks[pen.blocks]
    before = block.width
    while at < html.size and html[at] != 60:  # <
        code = html[at]
        kind = KINDS[code]
        size = 1
        if code == 38:  # &
            code, size = _entity(html, at)
            kind = KINDS[code]
        elif code >= 0xC2:
            spaces = space_size(html, at)
            if spaces:
                kind = SPACE
                size = spaces
            elif kind & WIDE:
                kind |= wide_kind(html, at)
        if kind & SPACE:
            pen.gap = True
        else:
            _write(page, block, code)
            _count(block, kind)
        at += size
    if block.width > before:
        width = block.width - before
        block.linked += width * (pen.linked > 0)
        block.strong += width * (pen.strong > 0)
        block.hints |= page.open[min(pen.depth, page.open.size - 1)].hints
    return at


@bare_kernel
def _entity(html: Bytes, at: int) -> tuple[int, int]:
    """What stands for a sign that is written with others, and how long that is."""
    first = html[at + 1] if at + 1 < html.size else 0
    second = html[at + 2] if at + 2 < html.size else 0
    if first == 97 and second == 109:  # &amp;
        return 38, 5
    if first == 108 and second == 116:  # &lt;
        return 60, 4
    if first == 103 and second == 116:  # &gt;
        return 62, 4
    if first == 110 and second == 98:  # &nbsp;
        return 32, 6
    if first == 113 and second == 117:  # &quot;
        return 34, 6
    return 38, 1


@bare_kernel
def _write(page: PageArrays, block: Records, code: int) -> None:
    pen = page.pen[0]
    if block.words == 0:
        block.begin = pen.letters
        block.element = page.open[min(pen.depth, page.open.size - 1)].element
        block.words = 1
    elif pen.gap:
        page.letters[pen.letters] = 32
        pen.letters += 1
        block.words += 1
    page.letters[pen.letters] = code
    pen.letters += 1
    pen.gap = False
    pen.breaks = 0


@bare_kernel
def _count(block: Records, kind: int) -> None:
    block.width += (kind & LEAD != 0) + 2 * (kind & WIDE != 0)
    block.stops += kind & STOP != 0
    block.commas += kind & COMMA != 0
    block.digits += kind & DIGIT != 0
    block.capitals += kind & CAPITAL != 0


@bare_kernel
def end_block(page: PageArrays) -> None:
    """What follows is another block, if there are words in this one."""
    pen = page.pen[0]
    pen.gap = False
    pen.breaks = 0
    if page.blocks[pen.blocks].words:
        page.blocks[pen.blocks].end = pen.letters
        pen.blocks += 1
    else:
        page.blocks[pen.blocks].links = 0


@bare_kernel
def copy_blocks(page: PageArrays, kept: np.ndarray, text: Bytes) -> int:
    """Write the letters of some blocks, a line each. Returns how many bytes that is."""
    size = 0
    for number in range(kept.size):
        if not kept[number]:
            continue
        for place in range(page.blocks[number].begin, page.blocks[number].end):
            text[size] = page.letters[place]
            size += 1
        text[size] = 10
        size += 1
    return max(size - 1, 0)
