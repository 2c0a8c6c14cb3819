"""What is seen of a long load: a bar on a terminal, a line without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from trapline.app.crawl.url_lists import Step
from trapline.app.output.standard_output import print_remark
from trapline.app.output.terminal import Terminal

_LONG: Final = 5000  # fewer are there before anybody looks


@contextmanager
def loading_shown(what: str, total: int, *, quiet: bool) -> Iterator[Step]:
    """A function to call with how many more are done."""
    terminal = Terminal(stderr=True)
    if quiet or total < _LONG:
        yield lambda _: None
    elif not terminal.is_terminal:
        print_remark(f"{what} ({total:,}) …")
        yield lambda _: None
    else:
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        with Progress(
            *columns,
            console=terminal,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as progress:
            task = progress.add_task(what, total=total)
            yield lambda done: progress.advance(task, done)
