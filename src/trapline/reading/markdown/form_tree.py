"""Which line of a text is in which shape: a tree, at most fifteen levels high."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from trapline.reading.blocks.shapes import LISTING, LOWEST_HEADING, NUMBERS
from trapline.reading.markdown.form import Form, FormBroken, Span

_SHAPE_BITS: Final = 32


@dataclass(frozen=True, slots=True)
class Leaf:
    """One line of the text."""

    text: str
    gaps: bytes = b""  # of code: one a word
    spans: list[Span] = field(default_factory=list)
    repeated: bool = False  # on other pages of its host


@dataclass(frozen=True, slots=True)
class Branch:
    """A shape and what is in it."""

    shape: int  # see reading/blocks/shapes.py; 0 = the page
    skipped: int = 0  # empty cells before a cell
    first: int = 1  # number of a list
    parts: list[Leaf | Branch] = field(default_factory=list)


def build_tree(
    text: str,
    form: Form,
    repeated: Collection[int],
) -> Branch:
    """The whole page. Raises FormBroken where text and form do not fit."""
    page = Branch(0)
    path = [page]
    for number, line in enumerate(text.split("\n")):
        ended, begun = form.next_shapes()
        if ended >= len(path):
            raise FormBroken("more shapes end than there are")
        del path[len(path) - ended :]
        for branch in reversed([_branch_of(code, form) for code in reversed(begun)]):
            path[-1].parts.append(branch)
            path.append(branch)
        code_line = path[-1].shape == LISTING
        gaps = form.next_gaps(line.count(" ") + 1) if code_line else b""
        spans = form.spans_of(number)
        path[-1].parts.append(Leaf(line, gaps, spans, number in repeated))
    return page


def _branch_of(code: int, form: Form) -> Branch:
    """What begins. First numbers stand in the order of what is inmost."""
    skipped, shape = divmod(code, _SHAPE_BITS)
    if shape == NUMBERS:
        return Branch(shape, first=form.next_number() if skipped else 1)
    return Branch(shape, skipped)


def plain_tree(text: str, repeated: Collection[int]) -> Branch:
    """Nothing but paragraphs."""
    lines = enumerate(text.split("\n"))
    leaves = [Leaf(line, repeated=number in repeated) for number, line in lines]
    return Branch(0, parts=[*leaves])


def without_repeated(parts: Sequence[Leaf | Branch]) -> list[Leaf | Branch]:
    """The parts that say something of their page, and all headings."""
    return [part for part in parts if _is_heading(part) or not _is_repeated(part)]


def _is_heading(part: Leaf | Branch) -> bool:
    return isinstance(part, Branch) and 1 <= part.shape <= LOWEST_HEADING


def _is_repeated(part: Leaf | Branch) -> bool:
    if isinstance(part, Leaf):
        return part.repeated
    return not _is_heading(part) and all(map(_is_repeated, part.parts))
