"""The arrays that a page is read into: its elements, its blocks and the letters of its blocks."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.reading.html.element_kinds import Bytes

Record = Any  # types know nothing of its fields
Records = NDArray[Any]

DEEPEST: Final = (
    2_500  # levels that are told apart; the depth guard lets no more through
)

# An element that is no part of a line.
ELEMENT: Final = np.dtype(
    [
        ("parent", np.int32),
        ("first", np.int32),  # of its blocks
        ("after", np.int32),  # its last block
        ("depth", np.int32),
        ("traits", np.int64),
        ("hints", np.uint64),
        # Of it and of all elements above, as far as none of them holds most of the page.
        ("traits_above", np.int64),
        ("hints_above", np.uint64),
        ("prose", np.float64),  # of blocks in it and a little below
        ("outer", np.int32),  # the nearest element with a shape, if it has none itself
        ("tag", np.int32),  # where its attributes begin
        ("cells", np.int32),  # columns that a row has; of a cell: those before it
        ("rows", np.int32),  # of a table; of a row, its number; of a tall cell, its end
        (
            "tall",
            np.int32,
        ),  # the last cell of a table in several rows; the one before it
        ("columns", np.int32),  # of a tall cell
        ("shape", np.uint8),  # see shapes.py; 0 = none
        ("level", np.uint8),  # how many shapes are around it, its own counted
        ("written", np.uint8),  # cells of a row
    ]
)
# A stretch of words that nothing but inline elements interrupts.
BLOCK: Final = np.dtype(
    [
        ("begin", np.int32),  # of its letters,
        ("end", np.int32),
        ("element", np.int32),  # that it stands in
        ("width", np.int32),  # its length: an ideograph is as much as three letters
        ("linked", np.int32),  # width of what is in links,
        ("strong", np.int32),  # and of what is printed bold or italic
        ("stops", np.int32),  # full stops, question marks, exclamation marks
        ("commas", np.int32),
        ("capitals", np.int32),
        ("hints", np.uint64),  # of inline elements in it
        ("score", np.float64),  # how much it looks like main content,
        ("named_score", np.float64),  # and with the names of elements
        ("gaps", np.int32),  # the first of its gaps, if it is code
        ("kept", np.bool_),
    ]
)
# Code or a link in a line.
SPAN: Final = np.dtype(
    [
        ("begin", np.int32),  # of its letters,
        ("end", np.int32),
        ("tag", np.int32),  # of a link: where its attributes begin; 0 = it is code
    ]
)
# What all blocks before one have together.
SUM: Final = np.dtype(
    [("width", np.float64), ("linked", np.float64), ("prose", np.float64)]
)
# What is open at a place of the page.
OPEN: Final = np.dtype(
    [
        ("traits", np.int64),
        ("hints", np.uint64),  # of all inline elements that are open
        ("element", np.int32),
        ("name", np.int32),  # where it stands,
        ("size", np.int32),  # and how long it is; 0 = it is closed already
        ("span", np.int32),
    ]
)
# Where the walk is.
PEN: Final = np.dtype(
    [
        ("letters", np.int32),  # written so far
        ("elements", np.int32),
        ("blocks", np.int32),  # finished
        ("depth", np.int32),
        ("linked", np.int32),  # how many links are open, and so on
        ("strong", np.int32),
        ("skipped", np.int32),
        ("preformatted", np.int32),
        ("breaks", np.int32),  # line breaks since the last word
        ("closed", np.int32),  # where an inline element ended last
        ("gaps", np.int32),  # of code, so far
        ("spans", np.int32),
        ("lines", np.int32),  # in code, since the last word: ends of lines,
        ("spaces", np.int32),  # and in the line
        ("tabs", np.int32),
        ("gap", np.bool_),  # there was a space since the last word,
        ("seam", np.bool_),  # or only the border of two elements
    ]
)


class PageArrays(NamedTuple):
    html: Bytes
    elements: Records
    blocks: Records
    sums: Records
    letters: Bytes  # of all blocks, a line each
    text: Bytes  # of those that are kept
    gaps: Bytes  # white space before the words of code
    spans: Records
    open: Records
    pen: Records


def arrays_for(html: bytes) -> PageArrays:
    """Enough room for whatever stands in a page."""
    marks = html.count(b"<") + 2
    room = 5 * len(html) // 4 + 16  # &nGt; becomes six bytes
    page = PageArrays(
        np.frombuffer(html, np.uint8),
        np.empty(marks, ELEMENT),
        np.empty(marks, BLOCK),
        np.empty(marks + 1, SUM),
        np.empty(room, np.uint8),
        np.empty(room, np.uint8),
        np.empty(len(html) + 1, np.uint8),
        np.empty(marks, SPAN),
        np.empty(DEEPEST, OPEN),
        np.zeros(1, PEN),
    )
    page.open[0] = 0
    page.sums[0] = 0
    return page
