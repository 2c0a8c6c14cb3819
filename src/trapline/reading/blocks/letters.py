"""The letters of a page, block by block, with one space between words."""

from __future__ import annotations

from trapline.reading.blocks.entities import write_entity
from trapline.reading.blocks.letter_kinds import (
    CAPITAL,
    COMMA,
    KINDS,
    LEAD,
    ODD,
    SPACE,
    STOP,
    WIDE,
    space_size,
    wide_kind,
)
from trapline.reading.blocks.page_arrays import PageArrays, Records
from trapline.theory.kernel import bare_kernel


@bare_kernel
def write_text(page: PageArrays, at: int, end: int) -> None:
    """Add a text between two tags to the block."""
    pen = page.pen[0]
    if pen.skipped:
        return
    block = page.blocks[pen.blocks]
    here = page.open[pen.depth]
    if pen.letters == block.begin:
        block.element = here.element
    width = _write_words(page, block, at, end)
    if width:
        block.width += width
        block.linked += width * (pen.linked > 0)
        block.strong += width * (pen.strong > 0)
        block.hints |= here.hints
        pen.breaks = 0


@bare_kernel
def _write_words(page: PageArrays, block: Records, at: int, end: int) -> int:
    """Returns how wide they are.

    Everything is written, and what stays is passed: nobody foresees where words end, and a wrong
    guess costs. All counts are kept here while it goes on, which is faster, too.
    """
    html = page.html
    letters = page.letters
    size = page.pen[0].letters
    gap = page.pen[0].gap
    begin = block.begin
    width = stops = commas = capitals = 0
    while at < end:
        code = html[at]
        kind = KINDS[code]
        step = written = 1
        gap &= size > begin
        if kind & ODD:
            kind, step, written = _write_odd(page, at, size + gap)
        else:
            letters[size + gap] = code
        letters[size + (not gap) * written] = 32
        space = kind & SPACE != 0
        size += 0 if space else gap + written
        gap = space
        width += (kind & LEAD != 0) + 2 * (kind & WIDE != 0)
        stops += kind & STOP != 0
        commas += kind & COMMA != 0
        capitals += kind & CAPITAL != 0
        at += step
    block.stops += stops
    block.commas += commas
    block.capitals += capitals
    page.pen[0].gap = gap
    page.pen[0].letters = size
    return width


@bare_kernel
def _write_odd(page: PageArrays, at: int, size: int) -> tuple[int, int, int]:
    """Write a sign whose kind depends on what follows. Returns its kind, how many bytes are read,
    and how many are written.
    """
    step = written = 1
    page.letters[size] = page.html[at]
    if page.html[at] == 38:  # &
        step, written = write_entity(page.html, at, page.letters, size)
        kind = KINDS[page.letters[size]]
        if kind & ODD and space_size(page.letters, size):
            kind = SPACE
        return kind, step, written
    spaces = space_size(page.html, at)
    if spaces:
        return SPACE, spaces, 1
    kind = KINDS[page.html[at]] | wide_kind(page.html, at)
    return kind, 1, 1


@bare_kernel
def end_block(page: PageArrays) -> None:
    """What follows is another block, if there are words in this one."""
    pen = page.pen[0]
    pen.gap = False
    pen.breaks = 0
    if pen.letters > page.blocks[pen.blocks].begin:
        page.blocks[pen.blocks].end = pen.letters
        page.letters[pen.letters] = 10
        pen.letters += 1
        pen.blocks += 1
        begin_block(page)


@bare_kernel
def begin_block(page: PageArrays) -> None:
    block = page.blocks[page.pen[0].blocks]
    block.begin = page.pen[0].letters
    block.element = 0
    block.width = 0
    block.linked = 0
    block.strong = 0
    block.stops = 0
    block.commas = 0
    block.capitals = 0
    block.hints = 0


@bare_kernel
def copy_kept(page: PageArrays) -> int:
    """Write out the blocks that are kept, a line each. Returns how many bytes that is."""
    size = 0
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        if block.kept:
            for place in range(block.begin, block.end + 1):
                page.text[size] = page.letters[place]
                size += 1
    return max(size - 1, 0)
