"""What is said while kernels are compiled, on a cache that may be full."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from numba.core.event import Event, EventStatus, broadcast
from rich.status import Status

from trapline.app.crawl import kernel_progress
from trapline.app.crawl.kernel_progress import compiling_shown
from trapline.app.output.terminal import Terminal


def compile_one(name: str) -> None:
    """As numba tells it."""

    def function() -> None: ...

    function.__name__ = name
    told = {"dispatcher": SimpleNamespace(py_func=function)}
    for status in (EventStatus.START, EventStatus.END):
        broadcast(Event("numba:compile", status, told))


def test_nothing_is_said_of_kernels_that_are_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with compiling_shown():
        compile_one("the_only_one")
    assert capsys.readouterr().err == ""


def test_without_a_terminal_one_line_says_how_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with compiling_shown(expected=100):
        for number in range(60):
            compile_one(f"kernel_{number}")
        [line] = capsys.readouterr().err.splitlines()
    assert "compiling kernels once, about " in line
    assert "100 of them" in line
    assert capsys.readouterr().err.startswith("kernels compiled in ")
    compile_one("later")
    assert capsys.readouterr().err == "", "nobody listens any more"


def test_whoever_wants_only_json_hears_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with compiling_shown(quiet=True):
        for number in range(60):
            compile_one(f"kernel_{number}")
    assert capsys.readouterr().err == ""


def test_on_a_terminal_the_line_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Screen(Status):
        def update(self, status: Any = None, **_: Any) -> None:
            told.append(status)

    monkeypatch.setattr(kernel_progress, "Status", Screen)
    monkeypatch.setattr(Terminal, "is_terminal", True)
    with compiling_shown(expected=30):
        for number in range(30):
            compile_one(f"kernel_{number}")
    assert told[0] == "compiling kernels once: 1 of about 30 (kernel_0)"
    assert "30 of about 30, about 0 s left" in told[-1]
