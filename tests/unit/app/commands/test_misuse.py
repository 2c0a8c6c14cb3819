"""Misuse of the command line is one line in our own words, with what was probably meant."""

from __future__ import annotations

import sys

import pytest

from trapline.app.commands.main import main


def complaint(
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    monkeypatch.setattr(sys, "argv", ["trapline", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["craw"], "there is no command craw; did you mean crawl?"),
        (["lab", "comprae"], "there is no command comprae; did you mean compare?"),
        (["xyzzy"], "there is no command xyzzy (see"),
        (
            ["crawl", "--bugdet", "3"],
            "there is no option --bugdet; did you mean --budget?",
        ),
        (["crawl", "--xyzzy"], "there is no option --xyzzy (see"),
        (["crawl", "--seconds", "soon"], '--seconds: it must be a number, not "soon"'),
        (["crawl", "--seconds", "0"], '--seconds: it must be at least 0.1, not "0"'),
        (["crawl", "--visits", "1.5"], "--visits: it must be a whole number"),
        (["demo", "--hosts", "900"], '--hosts: it must be at most 200, not "900"'),
        (
            ["crawl", "http://a.org/", "--seconds"],
            "--seconds needs a value (see `trapline crawl --help`)",
        ),
        (["lab", "run", "--out"], "(see `trapline lab run --help`)"),
        (["crawl", "-v", "-q"], "-v and -q: they contradict each other"),
        (["watch", "-q", "-v"], "-v and -q: they contradict each other"),
        (["crawl", "--json=3"], "--json takes no value"),
        (["status"], "the argument FOLDER is missing"),
        (["status", "a", "b", "c"], "too much was said: b c"),
    ],
)
def test_misuse(
    words: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = complaint(words, monkeypatch, capsys)
    assert said in line
    assert line.count("\n") == 1
    assert "--help`)" in line
