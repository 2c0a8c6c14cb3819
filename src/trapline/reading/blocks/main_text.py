"""The words of a page that a reader reads, one block a line."""

from __future__ import annotations

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from trapline.reading.blocks.block_choice import choose_blocks
from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.features import FEATURES, Row
from trapline.reading.blocks.letters import copy_kept
from trapline.reading.blocks.page_arrays import PageArrays, arrays_for
from trapline.reading.blocks.weights import WEIGHTS, Weights
from trapline.theory.kernel import bare_kernel


def main_text(tree: LexborHTMLParser) -> str:
    """The main content of a page."""
    root = tree.body
    if root is None:
        return ""
    page = arrays_for((root.html or "").encode("utf-8", "replace"))
    size = _read_main(page, WEIGHTS, np.empty(len(FEATURES)))
    return str(page.text[:size].data, "utf-8", "replace")


@bare_kernel
def _read_main(page: PageArrays, weights: Weights, row: Row) -> int:
    """All in one: to hand so many arrays to a kernel costs more than some of the kernels."""
    walk_page(page)
    choose_blocks(page, weights, row)
    return copy_kept(page)
