"""A diff on a terminal: words that went are red and struck, words that came are green.

Without a terminal the signs before the lines say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rich.text import Text

from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.app.printing.fact_table import RowTable
from trapline.collection.text_diff import WENT, DiffLine, mark_words

if TYPE_CHECKING:
    from trapline.app.folder.page_versions import PageDiff, PageVersions, VersionLine

_STYLES: Final = {True: ("red", "red strike"), False: ("green", "green")}


def diff_texts(lines: Sequence[str]) -> list[Text]:
    """Lines of a diff, coloured."""
    return [_text(line) for line in mark_words(lines)]


def _text(line: DiffLine) -> Text:
    sign_style, style = _STYLES[line.sign == WENT]
    text = Text(f"{line.sign} ", sign_style)
    for piece in line.pieces:
        # a carriage return or a tab of a stranger must not begin a line of ours
        plain = piece.text.replace("\t", " ")
        text.append(plain, style if piece.differs else "default")
    return text


def print_diff(diff: PageDiff, as_json: bool) -> None:
    if as_json:
        print_json(diff.as_dict())
        return
    console = Terminal()
    console.print(diff.name or diff.new.title or diff.url, soft_wrap=True)
    console.print(diff.url, soft_wrap=True)
    _print_move(console, diff.moved_from)
    if diff.oldest:
        console.print(
            f"Nothing older is kept: version {diff.old.number} is the oldest.",
            style="dim",
            soft_wrap=True,
        )
    if diff.old == diff.new:
        console.print(
            f"{_say(diff.new)}: nothing to compare it with.",
            style="dim",
            soft_wrap=True,
        )
        return
    head = f"{_say(diff.old)} → {_say(diff.new)}"
    console.print(head, style="dim", soft_wrap=True)
    for text in diff_texts(diff.lines):
        console.print(text, soft_wrap=True)
    if not diff.lines:
        console.print("No line differs.")


def print_versions(found: PageVersions, as_json: bool) -> None:
    if as_json:
        print_json(found.as_dict())
        return
    console = Terminal()
    console.print(found.url, soft_wrap=True)
    _print_move(console, found.moved_from)
    rows = [
        (str(line.number), _when(line), f"{line.letters:,}", line.title)
        for line in reversed(found.versions)
    ]
    heads = ("version", "since", "letters", "title")
    title = "newest first" if found.held else "newest first; the page is gone"
    console.print(RowTable(title, heads, rows))


def _print_move(console: Terminal, moved_from: str) -> None:
    if moved_from:
        console.print(f"{moved_from} has moved here.", style="dim", soft_wrap=True)


def _say(line: VersionLine) -> str:
    return f"version {line.number} of {_when(line)}"


def _when(line: VersionLine) -> str:
    return datetime.fromtimestamp(line.at_s).strftime("%Y-%m-%d %H:%M:%S")
