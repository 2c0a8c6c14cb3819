"""What is looked at in a block to tell whether it belongs to the main content: a row of numbers."""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.reading.blocks.element_traits import (
    ASIDE,
    CAPTION,
    CELL,
    FIGURE,
    FOOTER,
    FORM,
    HEADER,
    HEADING,
    ITEM,
    LIST,
    NAVIGATION,
    PARAGRAPH,
    PREFORMATTED,
    QUOTE,
    SECTION,
    TABLE,
    TERM,
)
from trapline.reading.blocks.layout import Centre
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.theory.kernel import bare_kernel

Row = NDArray[np.float64]

_MOST_STOPS: Final = 5
_FARTHEST: Final = 8  # levels

# Of the block itself.
_OWN: Final = ("length", "linked", "stops", "capitals", "strong")
_KINDS: Final = {
    "paragraph": PARAGRAPH,
    "heading": HEADING,
    "item": ITEM,
    "term": TERM,
    "cell": CELL,
    "preformatted": PREFORMATTED,
    "caption": CAPTION,
}
# Of what it is in.
_PLACES: Final = {
    "in list": LIST,
    "in table": TABLE,
    "in navigation": NAVIGATION,
    "in header": HEADER,
    "in footer": FOOTER,
    "in aside": ASIDE,
    "in form": FORM,
    "in figure": FIGURE,
    "in quote": QUOTE,
    "in preformatted": PREFORMATTED,
    "in section": SECTION,
}
_AROUND: Final = (
    "prose here",
    "prose one above",
    "prose two above",
    "linked one above",
    "linked two above",
    "share of width above",
    "share of prose above",
    "mean length two above",
)
# Of its place in the page.
_PAGE: Final = ("page length", "page linked", "position")
_CENTRE: Final = (
    "in best",
    "levels to best",
    "after best",
    "in core",
    "in wide core",
    "outside main",
    "outside article",
)
_BESIDE: Final = ("linked before", "linked after", "same before", "same after")

FEATURES: Final = (*_OWN, *_KINDS, *_PLACES, *_AROUND, *_PAGE, *_CENTRE, *_BESIDE)
_KIND_TRAITS: Final = np.array(list(_KINDS.values()), np.int64)
_PLACE_TRAITS: Final = np.array(list(_PLACES.values()), np.int64)


@bare_kernel
def write_features(page: PageArrays, centre: Centre, number: int, row: Row) -> None:
    """The features of a block."""
    at = _write_own(page, number, row, 0)
    at = _write_traits(page, number, row, at)
    at = _write_around(page, centre, number, row, at)
    at = _write_page(page, number, row, at)
    at = _write_centre(page, centre, number, row, at)
    _write_beside(page, number, row, at)


@bare_kernel
def _write_own(page: PageArrays, number: int, row: Row, at: int) -> int:
    block = page.blocks[number]
    width = max(block.width, 1)
    row[at] = log(width)
    row[at + 1] = block.linked / width
    row[at + 2] = min(block.stops, _MOST_STOPS)
    row[at + 3] = block.capitals / width
    row[at + 4] = block.strong / width
    return at + 5


@bare_kernel
def _write_traits(page: PageArrays, number: int, row: Row, at: int) -> int:
    element = page.elements[page.blocks[number].element]
    for trait in _KIND_TRAITS:
        row[at] = (element.traits & trait) != 0
        at += 1
    for trait in _PLACE_TRAITS:
        row[at] = (element.traits_above & trait) != 0
        at += 1
    return at


@bare_kernel
def _write_around(
    page: PageArrays, centre: Centre, number: int, row: Row, at: int
) -> int:
    most = max(page.elements[centre.best].prose, 1.0)
    total = page.sums[page.pen[0].blocks]
    here = page.elements[page.blocks[number].element]
    above = page.elements[here.parent]
    higher = page.elements[above.parent]
    row[at] = here.prose / most
    row[at + 1] = above.prose / most
    row[at + 2] = higher.prose / most
    begin = page.sums[above.first]
    end = page.sums[above.after]
    width = max(end.width - begin.width, 1.0)
    row[at + 3] = (end.linked - begin.linked) / width
    row[at + 5] = width / max(total.width, 1.0)
    row[at + 6] = (end.prose - begin.prose) / max(total.prose, 1.0)
    begin = page.sums[higher.first]
    end = page.sums[higher.after]
    width = max(end.width - begin.width, 1.0)
    row[at + 4] = (end.linked - begin.linked) / width
    row[at + 7] = log(width / max(higher.after - higher.first, 1))
    return at + 8


@bare_kernel
def _write_page(page: PageArrays, number: int, row: Row, at: int) -> int:
    total = page.sums[page.pen[0].blocks]
    width = max(total.width, 1.0)
    row[at] = log(width)
    row[at + 1] = total.linked / width
    row[at + 2] = (page.sums[number].width + page.blocks[number].width / 2) / width
    return at + 3


@bare_kernel
def _write_centre(
    page: PageArrays, centre: Centre, number: int, row: Row, at: int
) -> int:
    levels = 0
    around = centre.best
    while around and levels < _FARTHEST and not _is_in(page, number, around):
        around = page.elements[around].parent
        levels += 1
    row[at] = levels == 0
    row[at + 1] = levels
    row[at + 2] = number >= page.elements[centre.best].after
    row[at + 3] = _is_in(page, number, centre.core)
    row[at + 4] = _is_in(page, number, centre.wide)
    row[at + 5] = centre.main >= 0 and not _is_in(page, number, centre.main)
    row[at + 6] = centre.article >= 0 and not _is_in(page, number, centre.article)
    return at + 7


@bare_kernel
def _is_in(page: PageArrays, block: int, element: int) -> bool:
    return bool(page.elements[element].first <= block < page.elements[element].after)


@bare_kernel
def _write_beside(page: PageArrays, number: int, row: Row, at: int) -> None:
    above = page.elements[page.blocks[number].element].parent
    for side in range(2):
        beside = number + 2 * side - 1
        row[at + side] = 0.5  # the end of the page
        row[at + 2 + side] = 0.0
        if 0 <= beside < page.pen[0].blocks:
            block = page.blocks[beside]
            row[at + side] = block.linked / max(block.width, 1)
            row[at + 2 + side] = page.elements[block.element].parent == above
