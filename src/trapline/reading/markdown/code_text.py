"""Code as it stood in the page: with its lines and its indentation."""

from __future__ import annotations

from collections.abc import Sequence

from trapline.reading.blocks.code_gaps import gap_text
from trapline.reading.markdown.escaping import code_fence, code_span
from trapline.reading.markdown.form_tree import Branch, Leaf

Parts = Sequence[Leaf | Branch]


def write_code(parts: Parts) -> str:
    """In a fence."""
    code = join_code(parts)
    fence = code_fence(code)
    return f"{fence}\n{code}\n{fence}"


def write_code_in_line(parts: Parts) -> str:
    """Where there is but one line, as in a cell."""
    lines = join_code(parts).split("\n")
    return "<br>".join(code_span(line) for line in lines if line.strip())


def join_code(parts: Parts) -> str:
    texts = [code_text(part) for part in parts if isinstance(part, Leaf)]
    return "\n".join(text.lstrip("\n") for text in texts)


def code_text(leaf: Leaf) -> str:
    words = leaf.text.split(" ")
    if len(words) != len(leaf.gaps):
        return leaf.text
    pairs = zip(map(gap_text, leaf.gaps), words, strict=True)
    return "".join(gap + word for gap, word in pairs)
