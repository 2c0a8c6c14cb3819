"""Which blocks of a page are its main content: the sum of weighted features says so.

Names that authors give to elements only help: where they alone would cost a page most of its main
content, they do not count (a class may be a tag of an article: *sponsor*, *newsletter*). A page
that is nothing but a listing, or says very little, has the words of all that is not its frame.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.reading.blocks.element_traits import HEADING, NOSCRIPT
from trapline.reading.blocks.features import FEATURES, Row, write_features
from trapline.reading.blocks.layout import FRAME, Centre, measure_layout
from trapline.reading.blocks.page_arrays import PageArrays
from trapline.reading.blocks.weights import WEIGHTS, Weights
from trapline.theory.kernel import bare_kernel

Choice = NDArray[np.bool_]

LITTLE: Final = 200  # letters: too few to tell what is the main content
_LISTING: Final = (
    0.3  # of all but the frame: a main content that is less, and little, is none
)
_TRUST: Final = 0.5  # how much of the main content must be left where names count
_FOLLOWED: Final = (
    -1.0
)  # a heading needs no more if a block of the main content follows


def choose_blocks(page: PageArrays, weights: Weights = WEIGHTS) -> Choice:
    """Which blocks are read."""
    size = page.blocks.size
    kept = np.zeros(size, np.bool_)
    if size:
        scores = np.zeros((2, size))
        _score(page, measure_layout(page), weights, np.zeros(len(FEATURES)), scores)
        _choose(page, scores, kept)
    return kept


@bare_kernel
def _score(
    page: PageArrays, centre: Centre, weights: Weights, row: Row, scores: Row
) -> None:
    """By features alone, and with names."""
    for number in range(page.blocks.size):
        write_features(page, centre, number, row)
        score = weights.bias
        for place in range(row.size):
            score += row[place] * weights.features[place]
        block = page.blocks[number]
        scores[0, number] = score
        scores[1, number] = score + _weigh_hints(
            block.hints | page.elements[block.element].hints_above, weights.hints
        )


@bare_kernel
def _weigh_hints(hints: np.uint64, weights: Row) -> float:
    weight = 0.0
    for bit in range(weights.size):
        if (hints >> np.uint64(bit)) & np.uint64(1):
            weight += weights[bit]
    return weight


@bare_kernel
def _choose(page: PageArrays, scores: Row, kept: Choice) -> None:
    silent = _width_without(page, NOSCRIPT) >= LITTLE
    aside = FRAME | NOSCRIPT if silent else FRAME
    named = _keep_scored(page, scores[1], kept)
    plain = _width_over(page, scores[0])
    if named < _TRUST * plain:
        named = _keep_scored(page, scores[0], kept)
    unframed = _width_without(page, aside)
    if unframed < LITTLE or named < min(LITTLE, _LISTING * unframed):
        _keep_unframed(page, aside if unframed else 0, kept)
    elif silent:
        _drop_noscript(page, kept)


@bare_kernel
def _keep_scored(page: PageArrays, scores: Row, kept: Choice) -> float:
    """Keep the blocks that have a good score. Returns how wide they are."""
    width = 0.0
    follows = False
    for back in range(kept.size):
        number = kept.size - 1 - back
        block = page.blocks[number]
        heads = follows and page.elements[block.element].traits & HEADING != 0
        follows = scores[number] > (_FOLLOWED if heads else 0.0)
        kept[number] = follows
        width += follows * block.width
    return width


@bare_kernel
def _width_over(page: PageArrays, scores: Row) -> float:
    width = 0.0
    for number in range(scores.size):
        width += (scores[number] > 0.0) * page.blocks[number].width
    return width


@bare_kernel
def _width_without(page: PageArrays, traits: int) -> float:
    """The width of what is in no such element."""
    width = 0.0
    for block in page.blocks:
        inside = page.elements[block.element].traits_above & traits
        width += (inside == 0) * block.width
    return width


@bare_kernel
def _keep_unframed(page: PageArrays, frame: int, kept: Choice) -> None:
    for number in range(kept.size):
        element = page.elements[page.blocks[number].element]
        kept[number] = element.traits_above & frame == 0


@bare_kernel
def _drop_noscript(page: PageArrays, kept: Choice) -> None:
    for number in range(kept.size):
        element = page.elements[page.blocks[number].element]
        kept[number] &= element.traits_above & NOSCRIPT == 0
