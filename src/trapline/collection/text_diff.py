"""Two texts compared: by lines, and inside lines that changed by words.

Lines are told with their sign before them, `- ` for one that went and `+ ` for one that came, in
the order in which they stand. That is what is stored and sent; which words of them differ is found
again from the lines alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Final, NamedTuple

from trapline.collection.matching import WORK, match_items

WENT: Final = "-"
CAME: Final = "+"
CUT: Final = "…"
_ALIKE: Final = (
    0.25  # share of words that two lines have in common: below, all of them differ
)
_LEAST_WORK: Final = 2_000  # for two lines
_REACH: Final = 120  # letters that are shown of what is the same, beside what differs
# a word with the space before it; scripts without spaces have words of one letter
_UNSPACED: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD: Final = re.compile(rf"\s*(?:[{_UNSPACED}]|[^\s{_UNSPACED}]+)")


class Piece(NamedTuple):
    text: str
    differs: bool


class DiffLine(NamedTuple):
    """A line that went or came, in pieces that differ and pieces that do not."""

    sign: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return f"{self.sign} {''.join(piece.text for piece in self.pieces)}"


def signed_lines(
    old: Sequence[str], new: Sequence[str], work: int = WORK
) -> Iterator[str]:
    """Lines that went and came, each with its sign; empty lines do not count.

    >>> list(signed_lines(["moons: 1", "mass: 6"], ["moons: 2", "mass: 6", "rings"]))
    ['- moons: 1', '+ moons: 2', '+ rings']
    """
    at = 0
    to = 0
    for i, j in (*match_items(old, new, work), (len(old), len(new))):
        yield from (f"{WENT} {line}" for line in old[at:i] if line.strip())
        yield from (f"{CAME} {line}" for line in new[to:j] if line.strip())
        at = i + 1
        to = j + 1


def mark_words(lines: Sequence[str]) -> list[DiffLine]:
    """Signed lines, with the words in them that differ.

    A line that went is compared with the one that came in its place.

    >>> old, new = mark_words(["- one moon here", "+ two moons here"])
    >>> [piece.text for piece in new.pieces if piece.differs]
    ['two moons']
    """
    # shared by all: a page of many long lines must not take long either
    work = max(WORK // max(len(lines), 1), _LEAST_WORK)
    marked: list[DiffLine] = []
    went: list[str] = []
    for sign, run in groupby(lines, key=lambda line: line[:1]):
        texts = [line[2:] for line in run]
        if sign == WENT:
            marked += _alone(WENT, went)
            went = texts
        else:
            marked += _side_by_side(went, texts, work)
            went = []
    return marked + _alone(WENT, went)


def _alone(sign: str, texts: Sequence[str]) -> list[DiffLine]:
    return [DiffLine(sign, (Piece(text, differs=True),)) for text in texts]


def _side_by_side(went: list[str], came: list[str], work: int) -> list[DiffLine]:
    old_lines: list[DiffLine] = []
    new_lines: list[DiffLine] = []
    for old, new in zip_longest(went, came):
        if old is None or new is None:
            old_lines += _alone(WENT, [old] if old is not None else [])
            new_lines += _alone(CAME, [new] if new is not None else [])
        else:
            marked = _mark_pair(old, new, work)
            old_lines.append(marked[0])
            new_lines.append(marked[1])
    return old_lines + new_lines


def _mark_pair(old: str, new: str, work: int) -> tuple[DiffLine, DiffLine]:
    before = _WORD.findall(old)
    after = _WORD.findall(new)
    words_before = [word.strip() for word in before]
    words_after = [word.strip() for word in after]
    pairs = match_items(words_before, words_after, work)
    if len(pairs) < _ALIKE * max(len(before), len(after)):
        pairs = []
    return (
        DiffLine(WENT, _pieces(before, {i for i, _ in pairs})),
        DiffLine(CAME, _pieces(after, {j for _, j in pairs})),
    )


def _pieces(words: list[str], same: set[int]) -> tuple[Piece, ...]:
    runs = groupby(range(len(words)), key=lambda number: number not in same)
    found = [Piece("".join(words[n] for n in run), differs) for differs, run in runs]
    last = len(found) - 1
    return tuple(
        piece if piece.differs else _shorten(piece, place > 0, place < last)
        for place, piece in enumerate(found)
    )


def _shorten(piece: Piece, after: bool, before: bool) -> Piece:
    """Of what is the same, what stands beside what differs."""
    text = piece.text
    if len(text) <= 2 * _REACH + 2:
        return piece
    head = text[:_REACH] if after else ""
    tail = text[-_REACH:] if before else ""
    return Piece(f"{head}{CUT}{tail}", differs=False)
