"""Markdown of a held page, for language models and for people."""

from __future__ import annotations

from collections.abc import Collection

from trapline.core.records import Page
from trapline.reading.markdown.block_text import BlockWriter
from trapline.reading.markdown.form import Form, FormBroken
from trapline.reading.markdown.form_tree import (
    Branch,
    build_tree,
    plain_tree,
    without_repeated,
)
from trapline.reading.markdown.line_text import LineWriter


def markdown_of(page: Page, repeated: Collection[int] = ()) -> str:
    """The text of a page as Markdown, without its title and address.

    Left out are lines with these numbers, which its host repeats on many pages, but for headings
    and what is in a table or a list with others: "Synopsis" says what follows. Pages that were
    read before forms were kept, plain texts and PDF files have paragraphs only.
    """
    base, tree = _tree_of(page, repeated)
    parts = without_repeated(tree.parts) if repeated else tree.parts
    blocks = BlockWriter(LineWriter(page.url, base)).write(parts)
    return "".join(f"{block}\n\n" for block in blocks)[:-1]


def _tree_of(page: Page, repeated: Collection[int]) -> tuple[str, Branch]:
    """What links are relative to, and the shapes of a page."""
    if page.form:
        try:
            form = Form(page.form)
            return form.base or page.url, build_tree(page.text, form, repeated)
        except FormBroken:
            pass  # it belongs to another text
    return page.url, plain_tree(page.text, repeated)
