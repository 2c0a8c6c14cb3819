"""A diff on a terminal."""

from __future__ import annotations

import io

from trapline.app.output.terminal import Terminal
from trapline.app.printing.diff import diff_texts

LINES = ["- price 12 EUR\x1b[2J", "+ price 14 EUR\x1b[2J"]


def printed(*, colours: bool) -> str:
    terminal = Terminal()
    terminal.file = io.StringIO()
    terminal._force_terminal = colours
    terminal._color_system = terminal._detect_color_system() if colours else None
    for text in diff_texts(LINES):
        terminal.print(text, soft_wrap=True)
    return terminal.file.getvalue()


def test_without_a_terminal_the_signs_say_it() -> None:
    assert printed(colours=False) == "- price 12 EUR␛[2J\n+ price 14 EUR␛[2J\n"


def test_words_have_colours() -> None:
    went, came = diff_texts(LINES)
    assert [(went.plain[s.start : s.end], str(s.style)) for s in went.spans][1] == (
        " 12",
        "red strike",
    )
    assert [(came.plain[s.start : s.end], str(s.style)) for s in came.spans][1] == (
        " 14",
        "green",
    )
