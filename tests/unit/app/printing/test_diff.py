"""A diff on a terminal."""

from __future__ import annotations

import pytest

from trapline.app.output.terminal import Terminal
from trapline.app.printing.diff import diff_texts

LINES = ["- price 12 EUR\x1b[2J", "+ price 14 EUR\x1b[2J"]


def print_lines() -> None:
    terminal = Terminal()
    for text in diff_texts(LINES):
        terminal.print(text, soft_wrap=True)


def test_without_a_terminal_the_signs_say_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_lines()
    shown = "- price 12 EUR␛[2J\n+ price 14 EUR␛[2J\n"
    assert capsys.readouterr().out == shown


def test_on_a_terminal_words_have_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_lines()
    went, came = capsys.readouterr().out.splitlines()
    assert "\x1b[9;31m 12\x1b[0m" in went and "\x1b[32m 14\x1b[0m" in came
    assert "\x1b[2J" not in went + came, "a page cannot clear the screen"
