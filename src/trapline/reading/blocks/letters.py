"""The letters of a page, block by block, with one space between words."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.reading.blocks.code_gaps import forget_gap, skip_gap, write_gap
from trapline.reading.blocks.entities import write_entity
from trapline.reading.blocks.letter_kinds import (
    COUNTS,
    KINDS,
    ODD,
    SPACE,
    space_size,
    wide_kind,
)
from trapline.reading.blocks.page_arrays import PageArrays, Record, Records
from trapline.reading.html.element_kinds import Bytes
from trapline.reading.html.tag_syntax import is_mark, next_mark
from trapline.theory.kernel import bare_kernel

_STRETCH: Final = 16_384  # bytes: so many fill no counter
_COUNTER: Final = np.uint64(0xFFFF)
_JOINED_BEFORE: Final = tuple(b".,:;()[]")
_JOINED_AFTER: Final = tuple(b".([")


@bare_kernel
def write_text(page: PageArrays, at: int) -> int:
    """Add the text up to the next tag to the block. Returns where that is."""
    pen = page.pen[0]
    if pen.skipped:
        return next_mark(page.html, at)
    block = page.blocks[pen.blocks]
    here = page.open[pen.depth]
    if pen.letters == block.begin:
        block.element = here.element
    if pen.seam:
        pen.gap |= not _is_joint(page.letters, block.begin, pen.letters, page.html[at])
        pen.seam = False
    before = block.width
    size = page.html.size
    while at < size and not is_mark(page.html, at):
        end = min(at + _STRETCH, size)
        if pen.preformatted:
            at = _write_code(page, block, at, end)
        else:
            at = _write_words(page.html, page.letters, pen, block, at, end)
    width = block.width - before
    if width:
        block.linked += width * (pen.linked > 0)
        block.strong += width * (pen.strong > 0)
        block.hints |= here.hints
        pen.breaks = 0
    return at


@bare_kernel
def _is_joint(
    letters: Bytes,
    begin: int,
    end: int,
    after: int,
) -> bool:
    """Whether the signs beside a seam say that it is within a name: `str.` `count` `(`."""
    if after in _JOINED_BEFORE:
        return True
    before = letters[end - 1] if end > begin else 0
    twice = end - 2 >= begin and letters[end - 2] == before
    return before in _JOINED_AFTER or (before == 58 and twice)  # ::


@bare_kernel
def _write_words(
    html: Bytes,
    letters: Bytes,
    pen: Record,
    block: Record,
    at: int,
    end: int,
) -> int:
    """Write up to the next tag, but not beyond a place. Returns where that is.

    Everything is written, and what stays is passed: nobody foresees where words end, and a wrong
    guess costs.
    """
    size = pen.letters
    gap = pen.gap
    begin = block.begin
    counts = np.uint64(0)
    while at < end:
        code = html[at]
        kind = KINDS[code]
        gap &= size > begin
        letters[size] = 32
        letters[size + gap] = code
        step = written = 1
        if kind & ODD:
            if is_mark(html, at):
                break
            kind, step, written = _write_odd(html, at, letters, size + gap)
        space = kind & SPACE != 0
        size += 0 if space else gap + written
        gap = space
        counts += COUNTS[kind]
        at += step
    block.width += counts & _COUNTER
    block.stops += counts >> np.uint64(16) & _COUNTER
    block.commas += counts >> np.uint64(32) & _COUNTER
    block.capitals += counts >> np.uint64(48)
    pen.gap = gap
    pen.letters = size
    return at


@bare_kernel
def _write_code(
    page: PageArrays,
    block: Record,
    at: int,
    end: int,
) -> int:
    """The same, noting the white space between words."""
    html = page.html
    pen = page.pen[0]
    while at < end and not is_mark(html, at):
        after = skip_gap(html, pen, at, end)
        if after > at:
            pen.gap = True
            at = after
            continue
        size = pen.letters
        apart = pen.gap or size == block.begin
        after = _plain_end(html, at, end)
        at = _write_words(html, page.letters, pen, block, at, after)
        if pen.letters == size:  # it was a space that is written otherwise
            pen.spaces += 1
        elif apart:
            write_gap(page)
    return at


@bare_kernel
def _plain_end(html: Bytes, at: int, end: int) -> int:
    """After the first sign, or as many as are nothing but letters."""
    first = at
    while at < end and not KINDS[html[at]] & (SPACE | ODD):
        at += 1
    return max(at, first + 1)


@bare_kernel
def _write_odd(
    html: Bytes,
    at: int,
    letters: Bytes,
    size: int,
) -> tuple[int, int, int]:
    """Write a sign whose kind depends on what follows. Returns its kind, how many bytes are read,
    and how many are written.
    """
    if html[at] == 38:  # &
        step, written = write_entity(html, at, letters, size)
        kind = KINDS[letters[size]]
        if kind & ODD and space_size(letters, size):
            kind = SPACE
        return kind, step, written
    spaces = space_size(html, at)
    if spaces:
        return SPACE, spaces, 1
    kind = KINDS[html[at]] | wide_kind(html, at)
    return kind, 1, 1


@bare_kernel
def end_block(pen: Record, blocks: Records, letters: Bytes) -> None:
    """What follows is another block, if there are words in this one."""
    pen.gap = False
    pen.seam = False
    pen.breaks = 0
    forget_gap(pen)
    if pen.letters > blocks[pen.blocks].begin:
        blocks[pen.blocks].end = pen.letters
        letters[pen.letters] = 10
        pen.letters += 1
        pen.blocks += 1
        begin_block(pen, blocks)


@bare_kernel
def begin_block(pen: Record, blocks: Records) -> None:
    block = blocks[pen.blocks]
    block.begin = pen.letters
    block.element = 0
    block.width = 0
    block.linked = 0
    block.strong = 0
    block.stops = 0
    block.commas = 0
    block.capitals = 0
    block.hints = 0
    block.gaps = pen.gaps


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
