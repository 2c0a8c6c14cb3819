"""Blocks of Markdown: headings, lists, quotes, code; tables are in table_text.py.

Each function gives blocks, which are one line or several, without the empty lines between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trapline.reading.blocks.shapes import (
    BULLETS,
    DEFINED_TERM,
    GRID,
    ITS_DEFINITION,
    LIST_ITEM,
    LISTING,
    LOWEST_HEADING,
    NUMBERS,
    QUOTATION,
)
from trapline.reading.markdown.code_text import write_code
from trapline.reading.markdown.form_tree import Branch, Leaf
from trapline.reading.markdown.line_text import LineWriter
from trapline.reading.markdown.table_text import table_text

Parts = Sequence[Leaf | Branch]
_IN_LIST = (LIST_ITEM, DEFINED_TERM, ITS_DEFINITION)


@dataclass(slots=True)
class _Item:
    mark: str
    blocks: list[str] = field(default_factory=list)
    tight: bool = True  # nothing but a line, and lists below it


class BlockWriter:
    """Writes the blocks of one page."""

    def __init__(self, lines: LineWriter) -> None:
        self._lines = lines

    def write(self, parts: Parts) -> list[str]:
        blocks: list[str] = []
        for part in parts:
            if isinstance(part, Leaf):
                blocks.append(self._lines.write_paragraph(part))
            else:
                blocks += self._write_branch(part)
        return [block for block in blocks if block]

    def _write_branch(self, branch: Branch) -> list[str]:
        shape = branch.shape
        if 1 <= shape <= LOWEST_HEADING:
            return [self._write_heading(branch)]
        if shape in (BULLETS, NUMBERS, *_IN_LIST):
            return self._write_listed(branch)
        if shape == LISTING:
            return [write_code(branch.parts)]
        if shape == QUOTATION:
            return [_quote(self.write(branch.parts))]
        table = table_text(branch, self._lines) if shape == GRID else None
        return self.write(branch.parts) if table is None else table

    def _write_heading(self, heading: Branch) -> str:
        words = " ".join(map(self._lines.write, leaves_of(heading)))
        return f"{'#' * heading.shape} {words}" if words.strip() else ""

    def _write_listed(self, branch: Branch) -> list[str]:
        if branch.shape in _IN_LIST:  # in no list
            return [self._write_list([branch])]
        if not any(map(_lays_out, branch.parts)):
            number = branch.first if branch.shape == NUMBERS else 0
            return [self._write_list(branch.parts, number)]
        blocks = []
        for part in branch.parts:
            blocks += self.write(part.parts if isinstance(part, Branch) else [part])
        return blocks

    def _write_list(self, parts: Parts, number: int = 0) -> str:
        """`number` of its first item; 0 = they have none."""
        items: list[_Item] = []
        for part in parts:
            shape = part.shape if isinstance(part, Branch) else 0
            if not items or shape in (LIST_ITEM, DEFINED_TERM):
                items.append(_Item(_mark(shape, number and number + len(items))))
            self._add_to_item(items[-1], part)
        tight = all(item.tight for item in items)
        return ("\n" if tight else "\n\n").join(
            _write_item(item, tight) for item in items if item.blocks
        )

    def _add_to_item(self, item: _Item, part: Leaf | Branch) -> None:
        listed = isinstance(part, Branch) and part.shape in _IN_LIST
        for inner in part.parts if isinstance(part, Branch) and listed else [part]:
            blocks = self.write([inner])
            nested = isinstance(inner, Branch) and inner.shape in (BULLETS, NUMBERS)
            item.tight &= nested or not item.blocks
            item.blocks += blocks


def _mark(shape: int, number: int) -> str:
    """Of an item; a definition without a term is only set off from what is around it."""
    if shape == ITS_DEFINITION:
        return ""
    return f"{number}. " if number else "- "


def _lays_out(item: Leaf | Branch) -> bool:
    """Whether an item has a heading, or begins with a list: then its list only lays out a page."""
    if isinstance(item, Leaf) or item.shape != LIST_ITEM:
        return False
    shapes = [part.shape if isinstance(part, Branch) else 0 for part in item.parts]
    begins_with_list = shapes[:1] in ([BULLETS], [NUMBERS])
    return begins_with_list or any(1 <= shape <= LOWEST_HEADING for shape in shapes)


def _quote(blocks: list[str]) -> str:
    lines = "\n\n".join(blocks).split("\n")
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _write_item(item: _Item, tight: bool) -> str:
    text = ("\n" if tight else "\n\n").join(item.blocks)
    indent = " " * len(item.mark)
    first, *others = text.split("\n")
    rest = (f"{indent}{line}" if line else "" for line in others)
    return "\n".join((item.mark + first, *rest))


def leaves_of(branch: Branch) -> list[Leaf]:
    """All lines in a shape."""
    found: list[Leaf] = []
    for part in branch.parts:
        found += [part] if isinstance(part, Leaf) else leaves_of(part)
    return found
