"""Blocks of pages with labels: whether they belong to the main content.

Of annotated pages, blocks with a wanted or an unwanted piece of text are labelled. Of pages that
well-known generators of documentation made, all are: these tell by an element what their content
is.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from annotated_pages import (  # type: ignore[import-not-found]  # it stands beside this file
    AnnotatedPage,
    read_annotated_pages,
)
from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.class_words import HINT_BITS
from trapline.reading.blocks.features import FEATURES, write_features
from trapline.reading.blocks.layout import measure_layout
from trapline.reading.blocks.page_arrays import PageArrays, arrays_for
from trapline.reading.html.charset import recode
from trapline.reading.html.depth_guard import flatten_if_deep

FOLDS: Final = 5
PAGES_EACH: Final = 14  # of a generator
UNWANTED_WEIGHT: Final = 1.3  # of an unwanted piece beside a wanted one
PAGE_WEIGHT: Final = 8.0  # of all labels of a page of documentation
RUN: Final = 12  # letters that tell where a text comes from

# how its pages begin → where their content is, and what in it is none
GENERATORS: Final = {
    "sphinx": ("div.sphinxsidebar", "div.body", "a.headerlink"),
    "docbook": ("div.navfooter", "body", "div.navheader, div.navfooter"),
    "zensical": (
        "article.md-content__inner",
        "article.md-content__inner",
        "a.headerlink",
    ),
    "rustdoc": (
        "body.rustdoc #main-content",
        "#main-content",
        "button, .src, a.anchor",
    ),
    "apache": (
        "#page-content",
        "#page-content",
        "#quickview, #comments_section, .bottomlang, .toplang, #langs, .top",
    ),
    "sqlite": ("div.nosearch", "body", ".nosearch, .toc_sub"),
    "latex2html": ("div.navigation", "body", ".navigation"),
    "mdbook": ("#mdbook-content, #menu-bar", "main", ""),
    "nodejs": ("#apicontent", "#apicontent", ".mark, .srclink"),
    "texinfo": ("div.nav-panel, div.header", "body", "div.header, .nav-panel"),
    "gtk-doc": ("table.navigation", "body", "table.navigation"),
}

Numbers = NDArray[np.float64]


@dataclass
class Example:
    """The labelled blocks of a page."""

    group: str  # that is never torn apart
    rows: Numbers
    labels: Numbers
    importance: Numbers
    page: PageArrays | None = None
    annotated: AnnotatedPage | None = None

    @property
    def fold(self) -> int:
        return zlib.crc32(self.group.encode()) % FOLDS


def read_page(body: bytes) -> PageArrays:
    page = arrays_for(flatten_if_deep(recode(body, "")))
    walk_page(page)
    return page._replace(
        elements=page.elements[: page.pen[0]["elements"]],
        blocks=page.blocks[: page.pen[0]["blocks"]],
    )


def texts_of(page: PageArrays) -> list[str]:
    letters = page.letters.tobytes()
    return [
        letters[block["begin"] : block["end"]].decode("utf-8", "replace")
        for block in page.blocks
    ]


def rows_of(page: PageArrays) -> Numbers:
    """The features of all blocks, and their hints."""
    rows = np.zeros((page.blocks.size, len(FEATURES)))
    centre = measure_layout(page)
    for number in range(page.blocks.size):
        write_features(page, centre, number, rows[number])
    above = page.elements["hints_above"][page.blocks["element"]]
    hints = (above | page.blocks["hints"])[:, None]
    bits = (hints >> np.arange(HINT_BITS, dtype=np.uint64)) & np.uint64(1)
    return np.hstack([rows, bits])


def read_news(checkout: Path) -> Iterator[Example]:
    for annotated in read_annotated_pages(checkout):
        page = read_page(annotated.body)
        labels = label_by_pieces(texts_of(page), annotated)
        known = labels >= 0
        rows = rows_of(page)[known]
        importance = np.where(labels[known] == 1, 1.0, UNWANTED_WEIGHT)
        yield Example(annotated.host, rows, labels[known], importance, page, annotated)


def label_by_pieces(texts: list[str], annotated: AnnotatedPage) -> Numbers:
    """1 = has a wanted piece, 0 = has an unwanted one, -1 = who knows."""
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)])
    whole = " ".join(texts)
    labels = np.full(len(texts), -1.0)
    for wanted, pieces in ((1, annotated.wanted), (0, annotated.unwanted)):
        for piece in pieces:
            for at in find_piece(whole, piece, only_one=bool(wanted)):
                first, last = (
                    int(np.searchsorted(starts, place, "right")) - 1
                    for place in (at, at + len(piece) - 1)
                )
                free = labels[first : last + 1] != 1
                labels[first : last + 1][free] = wanted
    return labels


def find_piece(whole: str, piece: str, *, only_one: bool) -> list[int]:
    """Where it stands; nowhere if that must be one place and is not."""
    found = [match.start() for match in re.finditer(re.escape(piece), whole)]
    return [] if only_one and len(found) > 1 else found


def read_documentation(folders: list[Path]) -> Iterator[Example]:
    """A few pages of each generator."""
    counts = dict.fromkeys(GENERATORS, 0)
    for folder in folders:
        paths = sorted(path for path in folder.rglob("*.html") if path.is_file())
        random.Random(3).shuffle(paths)
        for path in paths[:3_000]:
            body = path.read_bytes()
            tree = LexborHTMLParser(recode(body, ""))
            name = next((n for n, g in GENERATORS.items() if tree.css_first(g[0])), "")
            if name and counts[name] < PAGES_EACH and len(body) < 300_000:
                counts[name] += 1
                yield from label_by_layout(name, body, tree)


def label_by_layout(
    name: str, body: bytes, tree: LexborHTMLParser
) -> Iterator[Example]:
    _, place, noise = GENERATORS[name]
    content = tree.css_first(place)
    if content is None:
        return
    for piece in content.css(f"script, style, {noise}".rstrip(", ")):
        piece.decompose()
    page = read_page(body)
    labels = label_by_content(texts_of(page), letters_of(content.text(separator=" ")))
    known = labels >= 0
    if known.any():
        importance = np.full(known.sum(), min(1.0, PAGE_WEIGHT / known.sum()))
        yield Example(name, rows_of(page)[known], labels[known], importance)


def label_by_content(texts: list[str], content: str) -> Numbers:
    """1 = stands in the content, 0 = does not, -1 = partly."""
    runs = {content[at : at + RUN] for at in range(len(content) - RUN + 1)}
    letters = ["", *map(letters_of, texts), ""]
    labels = []
    for before, text, after in zip(letters, letters[1:], letters[2:], strict=False):
        if len(text) < RUN:  # such short texts stand everywhere
            near = (before[-10:] + text, text + after[:10])
            labels.append(float(bool(text) and any(one in content for one in near)))
            continue
        inside = [text[at : at + RUN] in runs for at in range(len(text) - RUN + 1)]
        share = sum(inside) / len(inside)
        labels.append(1.0 if share > 0.8 else 0.0 if share < 0.2 else -1.0)
    return np.array(labels)


def letters_of(text: str) -> str:
    return "".join(re.findall(r"\w", text.lower()))
