"""Markdown of a held page, for language models and for people."""

from __future__ import annotations

from trapline.core.records import Page
from trapline.reading.markdown.block_text import BlockWriter
from trapline.reading.markdown.form import Form, FormBroken
from trapline.reading.markdown.form_tree import Branch, build_tree, plain_tree
from trapline.reading.markdown.line_text import LineWriter


def markdown_of(page: Page) -> str:
    """The text of a page as Markdown, without its title and address.

    Pages that were read before forms were kept, plain texts and PDF files have paragraphs only.
    """
    base, tree = _tree_of(page)
    blocks = BlockWriter(LineWriter(page.url, base)).write(tree.parts)
    return "".join(f"{block}\n\n" for block in blocks)[:-1]


def _tree_of(page: Page) -> tuple[str, Branch]:
    """What links are relative to, and the shapes of a page."""
    if page.form:
        try:
            form = Form(page.form)
            return form.base or page.url, build_tree(page.text, form)
        except FormBroken:
            pass  # it belongs to another text
    return page.url, plain_tree(page.text)
