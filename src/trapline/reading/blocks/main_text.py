"""The words of a page that a reader reads, one block a line."""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.block_choice import choose_blocks
from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.features import FEATURES, Row
from trapline.reading.blocks.letters import copy_kept
from trapline.reading.blocks.page_arrays import PageArrays, arrays_for
from trapline.reading.blocks.weights import WEIGHTS, Weights
from trapline.theory.kernel import bare_kernel


def main_text(html: bytes) -> str:
    """The main content of a page in UTF-8.

    >>> main_text(b"<h1>The Sun</h1><p>It is <b>hot</b>, and far<sup>2</sup> away.</p>")
    'The Sun\\nIt is hot, and far2 away.'
    """
    page = arrays_for(html)
    size = _read_main(page, WEIGHTS, np.empty(len(FEATURES)))
    return str(page.text[:size].data, "utf-8", "replace")


@bare_kernel
def _read_main(page: PageArrays, weights: Weights, row: Row) -> int:
    """All in one: to hand so many arrays to a kernel costs more than some of the kernels."""
    walk_page(page)
    choose_blocks(page, weights, row)
    return copy_kept(page)
