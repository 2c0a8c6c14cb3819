"""The white space between the words of code: texts have one space there, Markdown wants it back.

A gap is a byte: two bits for the ends of lines, six for what follows in the line: up to 47 spaces,
or up to 15 tabs.
"""

from __future__ import annotations

from typing import Final

from trapline.reading.blocks.page_arrays import PageArrays, Record
from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

MOST_LINES: Final = 3
MOST_SPACES: Final = 47
MOST_TABS: Final = 15
_TAB: Final = 8  # spaces, where both are mixed


@bare_kernel
def skip_gap(html: Bytes, pen: Record, at: int, end: int) -> int:
    """Note the white space from a place on. Returns where it ends."""
    while at < end and html[at] <= 32:
        code = html[at]
        if code == 10:
            note_line(pen)
        elif code == 9:
            pen.tabs += 1
        elif code != 13:
            pen.spaces += 1
        at += 1
    return at


@bare_kernel
def note_line(pen: Record) -> None:
    pen.lines += 1
    pen.spaces = 0
    pen.tabs = 0


@bare_kernel
def forget_gap(pen: Record) -> None:
    pen.lines = 0
    pen.spaces = 0
    pen.tabs = 0


@bare_kernel
def write_gap(page: PageArrays) -> None:
    """Write what was noted since the last word."""
    pen = page.pen[0]
    if pen.tabs and not pen.spaces:
        rest = MOST_SPACES + min(pen.tabs, MOST_TABS)
    else:
        rest = min(pen.spaces + _TAB * pen.tabs, MOST_SPACES)
    page.gaps[pen.gaps] = min(pen.lines, MOST_LINES) * 64 + rest
    pen.gaps += 1
    forget_gap(pen)


def gap_text(gap: int) -> str:
    """
    >>> gap_text(64 + 4), gap_text(128 + 48), gap_text(1)
    ('\\n    ', '\\n\\n\\t', ' ')
    """
    lines, rest = divmod(gap, 64)
    inside = " " * rest if rest <= MOST_SPACES else "\t" * (rest - MOST_SPACES)
    return "\n" * lines + inside
