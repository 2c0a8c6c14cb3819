"""Where the prose of a page is: sums over its blocks, what elements inherit, and which of them hold
most of it.

Prose is text with the marks of sentences, or long, and not in links.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from trapline.reading.blocks.element_traits import (
    ARTICLE,
    ASIDE,
    FOOTER,
    FORM,
    HEADER,
    MAIN,
    NAVIGATION,
)
from trapline.reading.blocks.page_arrays import PageArrays, Record
from trapline.theory.kernel import bare_kernel

FRAME: Final = NAVIGATION | HEADER | FOOTER | ASIDE
_LONG: Final = 80  # so much without the mark of a sentence is prose, too
_MOST: Final = 0.5  # of a page: what holds more is no frame, whatever it is named
_MAIN_LEAST: Final = 150  # letters: a main part with less is filled by a script
_REACH: Final = 0.5  # how much of a block counts for what is two levels above


class Centre(NamedTuple):
    """Numbers of elements."""

    best: int  # has the most prose directly in it
    core: int  # the lowest with most of the prose,
    wide: int  # and the lowest with nearly all of it
    main: (
        int  # what the page says is its main part; -1 = nothing, or it is nearly empty
    )
    article: int  # the same, of a page with one article


@bare_kernel
def measure_layout(page: PageArrays) -> Centre:
    """Fill in the sums and what elements inherit."""
    _sum_up(page)
    total = page.sums[page.pen[0].blocks]
    for number in range(page.pen[0].elements):
        _inherit(page, number, total.width)
    for number in range(page.pen[0].blocks):
        _credit_elements(page, page.blocks[number])
    best = 0
    for number in range(page.pen[0].elements):
        if page.elements[number].prose > page.elements[best].prose:
            best = number
    return Centre(
        best,
        _lowest_with(page, 0.6),
        _lowest_with(page, 0.85),
        _only_one(page, MAIN),
        _only_one(page, ARTICLE),
    )


@bare_kernel
def _only_one(page: PageArrays, trait: int) -> int:
    """The element with a trait that has words; -1 = there are several, or there is none."""
    found = -1
    for number in range(page.pen[0].elements):
        element = page.elements[number]
        width = page.sums[element.after].width - page.sums[element.first].width
        if element.traits & trait and width >= _MAIN_LEAST:
            if found >= 0 and element.first >= page.elements[found].after:
                return -1
            found = number if found < 0 else found
    return found


@bare_kernel
def _sum_up(page: PageArrays) -> None:
    for number in range(page.pen[0].blocks):
        block = page.blocks[number]
        before = page.sums[number]
        after = page.sums[number + 1]
        after.width = before.width + block.width
        after.linked = before.linked + block.linked
        after.prose = before.prose + _prose(block)


@bare_kernel
def _prose(block: Record) -> float:
    if block.stops + block.commas == 0 and block.width < _LONG:
        return 0.0
    free = 1.0 - block.linked / max(block.width, 1)
    return float(block.width * free * free)


@bare_kernel
def _inherit(page: PageArrays, number: int, total: float) -> None:
    element = page.elements[number]
    width = page.sums[element.after].width - page.sums[element.first].width
    element.prose = 0.0
    element.traits_above = element.traits
    element.hints_above = element.hints
    if width > _MOST * total:
        element.traits_above &= ~(FRAME | FORM)
        element.hints_above = 0
    if number:
        above = page.elements[element.parent]
        if above.traits_above & (ARTICLE | MAIN):
            element.traits_above &= ~HEADER  # an article has its title there
        element.traits_above |= above.traits_above
        element.hints_above |= above.hints_above


@bare_kernel
def _credit_elements(page: PageArrays, block: Record) -> None:
    """The prose of a block counts for the elements around it."""
    prose = _prose(block)
    around = page.elements[block.element]
    above = page.elements[around.parent]
    around.prose += prose
    above.prose += prose
    page.elements[above.parent].prose += _REACH * prose


@bare_kernel
def _lowest_with(page: PageArrays, share: float) -> int:
    """The lowest element that has this share of the prose."""
    least = share * page.sums[page.pen[0].blocks].prose
    lowest = 0
    for number in range(page.pen[0].elements):
        element = page.elements[number]
        prose = page.sums[element.after].prose - page.sums[element.first].prose
        if prose >= least and element.depth >= page.elements[lowest].depth:
            lowest = number
    return lowest
