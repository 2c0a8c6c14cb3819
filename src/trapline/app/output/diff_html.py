"""A diff as feed readers show it: words that went are struck, words that came underlined."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from trapline.app.output.readable_text import drop_unseen
from trapline.collection.text_diff import WENT, DiffLine, Piece, mark_words

_TAGS: Final = {True: "del", False: "ins"}


def diff_html(lines: Sequence[str]) -> str:
    """Lines of a diff, marked word by word. Nothing of a page is markup in it.

    >>> diff_html(["- <b>1</b> moon", "+ <b>2</b> moon"])[:54]
    '<p>- <del>&lt;b&gt;1&lt;/b&gt;</del> moon<br>+ <ins>&l'
    """
    return f"<p>{'<br>'.join(map(_line, mark_words(lines)))}</p>" if lines else ""


def _line(line: DiffLine) -> str:
    tag = _TAGS[line.sign == WENT]
    return f"{line.sign} " + "".join(_piece(piece, tag) for piece in line.pieces)


def _piece(piece: Piece, tag: str) -> str:
    text = escape(drop_unseen(piece.text))
    return f"<{tag}>{text}</{tag}>" if piece.differs else text
