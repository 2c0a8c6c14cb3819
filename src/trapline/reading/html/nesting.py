"""How deep the elements of a page are nested, counted without building a tree.

One kernel goes over the tags of a page, told from comments, attributes and scripts by the rules of
HTML (tag_syntax.py), so that nothing can be hidden there. These rules are others within drawings
and formulas (a <style> in a drawing is no style sheet). After a drawing with anything unusual in
it, or a formula, the kernel is unsure what is hidden: from there on every tag in a comment, an
attribute or a script counts if it opens an element, and never if it ends one.

End tags that are wrongly nested close nothing, since only the tree builder knows whether it would
honour them.

>>> is_deeper(b"<p>One <b>two</b>" * 9, 3, 1), is_deeper(b"<div>" * 9, 3, 1)
(False, True)
"""

from __future__ import annotations

import numpy as np

from trapline.reading.html.element_kinds import (
    DIGITS,
    DRAWING,
    DRAWN,
    FORMATTING,
    FORMULA,
    KNOWN,
    MAY_STAY_OPEN,
    RAW,
    TRAITS,
    VOID,
    VOID_ANYWHERE,
    Bytes,
    Names,
    Numbers,
    ended_by,
    kind_of,
)
from trapline.reading.html.tag_syntax import (
    is_letter,
    is_self_closed,
    is_stroke,
    mark_end,
    name_end,
    next_mark,
    raw_end,
    same_name,
    tag_end,
)
from trapline.theory.kernel import bare_kernel, kernel


def is_deeper(html: bytes, most_open: int, most_formatting: int) -> bool:
    """Whether more elements, or more formatting elements, may be open at once."""
    codes = np.frombuffer(html, np.uint8)
    return bool(_is_deeper(codes, most_open, most_formatting, KNOWN, TRAITS, DIGITS))


@kernel
def _is_deeper(
    html: Bytes,
    most_open: int,
    most_formatting: int,
    known: Names,
    traits: Numbers,
    digits: Names,
) -> bool:
    names = np.zeros(most_open + 2, np.int64)  # of open elements: where they stand,
    sizes = np.zeros(most_open + 2, np.int64)  # and how long they are
    kinds = np.zeros(most_open + 2, np.int64)
    height = formatting = hidden_to = 0
    drawing = unsure = False
    start = next_mark(html, 0)
    while start < html.size:
        ends = is_stroke(html, start + 1)
        name = start + 1 + ends
        after = name_end(html, name)
        if not is_letter(html, name):
            after = start + 2
            if start >= hidden_to:
                hidden_to = mark_end(html, start, drawing or unsure)
        elif start < hidden_to:  # only looked at if unsure
            kind = kind_of(html, name, after, known, traits, digits)
            opens = not ends and not kind & VOID_ANYWHERE
            most_open -= opens
            most_formatting -= opens and kind == FORMATTING
        else:
            kind = kind_of(html, name, after, known, traits, digits)
            hidden_to = tag_end(html, after)
            leaves = ends and kind == DRAWING
            unsure |= (kind == FORMULA and not ends) or (
                drawing and kind != DRAWN and not leaves
            )
            stroke = kind in (DRAWN, DRAWING) and is_self_closed(html, start, hidden_to)
            enters = kind == DRAWING and not (ends or stroke or is_stroke(html, after))
            drawing = not unsure and not leaves and (drawing or enters)
            if ends:
                closed = _close(html, names, sizes, kinds, height, name, after - name)
                formatting -= kind == FORMATTING and closed < height
                height = closed
            elif kind == RAW:
                hidden_to = raw_end(html, name, after - name, hidden_to)
                most_open -= unsure
            elif not (
                kind & (VOID_ANYWHERE if unsure else VOID) or (drawing and stroke)
            ):
                ended = ended_by(kind, unsure)
                while height and kinds[height - 1] & ended:
                    height -= 1
                names[height] = name
                sizes[height] = after - name
                kinds[height] = kind
                height += 1
                formatting += kind == FORMATTING
        if height > most_open or formatting > most_formatting:
            return True
        start = next_mark(html, after if unsure else max(after, hidden_to))
    return False


@bare_kernel
def _close(
    html: Bytes,
    names: Numbers,
    sizes: Numbers,
    kinds: Numbers,
    height: int,
    name: int,
    size: int,
) -> int:
    """How many stay open when one is closed, together with the items in it that nobody closed."""
    for top in range(height - 1, -1, -1):
        if sizes[top] == size and same_name(html, names[top], name, size):
            return top
        if not kinds[top] & MAY_STAY_OPEN:
            break
    return height
