"""Which blocks of a page are its main content: the sum of weighted features says so.

Names that authors give to elements only help: where they alone would cost a page most of its main
content, they do not count (a class may be a tag of an article: *sponsor*, *newsletter*). A page
that is nothing but a listing, or says very little, has the words of all that is not its frame.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.reading.blocks.block_completion import keep_what_belongs
from trapline.reading.blocks.element_traits import NOSCRIPT
from trapline.reading.blocks.features import Row, write_features
from trapline.reading.blocks.layout import FRAME, measure_layout
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.reading.blocks.weights import Weights
from trapline.theory.kernel import bare_kernel

LITTLE: Final = 200  # letters: too few to tell what is the main content
_LISTING: Final = (
    0.3  # of all but the frame: a main content that is less, and little, is none
)
_TRUST: Final = 0.5  # how much of the main content must be left where names count


@bare_kernel
def choose_blocks(page: PageArrays, weights: Weights, row: Row) -> None:
    """Mark the blocks that are read. The row is room for features."""
    _score(page, weights, row)
    silent = _width_without(page, NOSCRIPT) >= LITTLE
    frame = FRAME | NOSCRIPT if silent else FRAME
    main = _keep_named(page)
    if main < _TRUST * _width_scored(page):
        main = _keep_scored(page)
    unframed = _width_without(page, frame)
    if unframed < LITTLE or main < min(LITTLE, _LISTING * unframed):
        _keep_without(page, frame if unframed else 0)
    else:
        keep_what_belongs(page)
        if silent:
            _drop_noscript(page)


@bare_kernel
def _score(page: PageArrays, weights: Weights, row: Row) -> None:
    """By features alone, and with names."""
    centre = measure_layout(page)
    for number in range(page.pen[0].blocks):
        write_features(page, centre, number, row)
        score = weights.bias
        for place in range(row.size):
            score += row[place] * weights.features[place]
        block = page.blocks[number]
        hints = block.hints | page.elements[block.element].hints_above
        block.score = score
        block.named_score = score + _weigh_hints(hints, weights.hints)


@bare_kernel
def _weigh_hints(hints: np.uint64, weights: Row) -> float:
    weight = 0.0
    bit = 0
    while hints:
        weight += weights[bit] * (hints & np.uint64(1))
        hints >>= np.uint64(1)
        bit += 1
    return weight


@bare_kernel
def _keep_named(page: PageArrays) -> float:
    """Keep the blocks that have a good score. Returns how wide they are, without their links."""
    width = 0.0
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        block.kept = block.named_score > 0.0
        width += block.kept * (block.width - block.linked)
    return width


@bare_kernel
def _width_scored(page: PageArrays) -> float:
    width = 0.0
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        width += (block.score > 0.0) * (block.width - block.linked)
    return width


@bare_kernel
def _keep_scored(page: PageArrays) -> float:
    """As if nothing had a name."""
    for number in range(page.pen[0].blocks):
        page.blocks[number].named_score = page.blocks[number].score
    return _keep_named(page)


@bare_kernel
def _width_without(page: PageArrays, traits: int) -> float:
    """The width of what is in no such element."""
    width = 0.0
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        inside = page.elements[block.element].traits_above & traits
        width += (inside == 0) * block.width
    return width


@bare_kernel
def _keep_without(page: PageArrays, traits: int) -> None:
    """Keep what is in no such element."""
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        block.kept = page.elements[block.element].traits_above & traits == 0


@bare_kernel
def _drop_noscript(page: PageArrays) -> None:
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        block.kept &= page.elements[block.element].traits_above & NOSCRIPT == 0
