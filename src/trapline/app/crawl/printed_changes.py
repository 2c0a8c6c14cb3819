"""Changes printed as they are seen: the outlet of `watch`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from typing import Final, NoReturn

from rich.text import Text

from trapline.app.output.changes import Line, describe_size, describe_trouble
from trapline.app.output.readable_text import readable
from trapline.app.output.standard_output import discard_standard_output
from trapline.app.output.terminal import Terminal
from trapline.app.printing.diff import diff_texts

SHOWN: Final = 10  # lines of a diff


class PrintedChanges:
    """An outlet (app/output/outlets/outlet.py): changes on the standard output, from now on."""

    key = ""
    name = "the standard output"
    gather_s = 0.0

    def __init__(self, as_json: bool, stop: Callable[[], None]) -> None:
        """`stop` is called when nobody reads any more."""
        self._as_json = as_json
        self._stop = stop

    def resume(self, noted: int | None, newest: int) -> int:
        return newest

    async def tell(self, lines: list[Line]) -> None:
        try:
            for line in lines:
                if self._as_json:
                    print(line.as_json())
                else:
                    _print_change(line)
            sys.stdout.flush()
        except BrokenPipeError:
            discard_standard_output()
            self._stop()

    def close(self) -> None:
        pass


class _ChangeTerminal(Terminal):
    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError  # the robot ends as it always does


def _print_change(line: Line) -> None:
    terminal = _ChangeTerminal()
    terminal.print(text_of_change(line), soft_wrap=True)
    for text in diff_texts(line.diff[:SHOWN]):
        terminal.print(Text("    ") + text, soft_wrap=True)
    if len(line.diff) > SHOWN:
        more = f"    … {len(line.diff) - SHOWN} more lines: trapline diff"
        terminal.print(more, style="dim", soft_wrap=True)


def text_of_change(line: Line) -> str:
    """A change as people read it, in one line whatever its page is called.

    >>> text_of_change(Line(1, "http://a/", "changed", "", 0.0, "News\\x1b[2J", 12, 3))[19:]
    '  changed  http://a/  +12 −3 words  News␛[2J'
    """
    when = datetime.fromtimestamp(line.at_s).strftime("%Y-%m-%d %H:%M:%S")
    size = describe_size(line)
    name = line.name or line.title
    parts = (when, f"{line.turn:7}", line.url, describe_trouble(line), size, name)
    text = "  ".join(filter(None, parts))
    return readable(text.replace("\n", " ").replace("\t", " "))
