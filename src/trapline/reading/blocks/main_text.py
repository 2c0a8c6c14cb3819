"""The words of a page that a reader reads, one block a line."""

from __future__ import annotations

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from trapline.reading.blocks.block_choice import Choice, choose_blocks
from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.letters import copy_blocks
from trapline.reading.blocks.page_arrays import PageArrays, arrays_for


def main_text(tree: LexborHTMLParser) -> str:
    root = tree.body
    if root is None:
        return ""
    page = read_blocks((root.html or "").encode("utf-8", "replace"))
    return text_of(page, choose_blocks(page))


def read_blocks(html: bytes) -> PageArrays:
    page = arrays_for(html)
    walk_page(page)
    pen = page.pen[0]
    return page._replace(
        elements=page.elements[: pen["elements"]], blocks=page.blocks[: pen["blocks"]]
    )


def text_of(page: PageArrays, kept: Choice) -> str:
    text = np.empty(int(page.pen[0]["letters"]) + kept.size, np.uint8)
    size = copy_blocks(page, kept, text)
    return str(text[:size].data, "utf-8", "replace")
