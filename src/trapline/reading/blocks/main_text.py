"""The words of a page that a reader reads, one block a line, and the form that they have."""

from __future__ import annotations

import numpy as np

from trapline.reading.blocks.block_choice import choose_blocks
from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.features import FEATURES, Row
from trapline.reading.blocks.form_writing import FormArrays, form_arrays, write_form
from trapline.reading.blocks.letters import copy_kept
from trapline.reading.blocks.page_arrays import PageArrays, arrays_for
from trapline.reading.blocks.weights import WEIGHTS, Weights
from trapline.theory.kernel import bare_kernel


def main_text(html: bytes) -> str:
    """The main content of a page in UTF-8.

    >>> main_text(b"<h1>The Sun</h1><p>It is <b>hot</b>, and far<sup>2</sup> away.</p>")
    'The Sun\\nIt is hot, and far2 away.'
    """
    return main_content(html)[0]


def main_content(html: bytes) -> tuple[str, list[bytes]]:
    """The same, and its form: the four rows of reading/blocks/form_writing.py."""
    page = arrays_for(html)
    form = form_arrays(page)
    size = _read_main(page, WEIGHTS, np.empty(len(FEATURES)), form)
    text = str(page.text[:size].data, "utf-8", "replace")
    rows = zip(form[:4], form.sizes.tolist(), strict=True)
    return text, [row[:end].tobytes() for row, end in rows]


@bare_kernel
def _read_main(page: PageArrays, weights: Weights, row: Row, form: FormArrays) -> int:
    """All in one: to hand so many arrays to a kernel costs more than some of the kernels."""
    walk_page(page)
    choose_blocks(page, weights, row)
    write_form(page, form)
    return copy_kept(page)
