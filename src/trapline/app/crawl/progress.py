"""What a run shows while it lasts: a live table on a terminal, now and then a line in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from trapline.app.engine.parts import Engine
from trapline.app.folder.status import queue_parts
from trapline.app.output.terminal import Terminal
from trapline.core.cards import FRINGE, GONE, HELD
from trapline.robot.queue_gauge import QueueFigures

PLAIN_EVERY_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Figures:
    visits: int
    held: int
    fringe: int
    gone: int
    market_price: float
    fetchers: QueueFigures
    held_back: str = ""  # by what, in a line; "" = not known yet
    recall: float | None = None
    freshness: float | None = None

    def parts(self, rate: float) -> list[tuple[str, str]]:
        shown = [
            ("visits", f"{self.visits:,}"),
            ("per s", f"{rate:.1f}"),
            ("held", f"{self.held:,}"),
            ("fringe", f"{self.fringe:,}"),
            ("gone", f"{self.gone:,}"),
            # – = none was paid yet
            ("market price", f"{self.market_price:.3g}" if self.market_price else "–"),
        ]
        if self.recall is not None and self.freshness is not None:
            shown += [
                ("recall", f"{self.recall:.3f}"),
                ("freshness", f"{self.freshness:.3f}"),
            ]
        return shown


def figures_of(engine: Engine) -> Figures:
    agenda = engine.controller.agenda
    return Figures(
        visits=engine.loop.visits if engine.loop else 0,
        held=agenda.count(HELD),
        fringe=agenda.count(FRINGE),
        gone=agenda.count(GONE),
        market_price=agenda.tally("market"),
        fetchers=engine.control.fetchers.figures(),
        held_back=str(engine.held_back or ""),
    )


class Progress(Protocol):
    """Called with the figures as often as one likes; `say` prints a line that stays."""

    def __call__(self, figures: Figures) -> None: ...
    def say(self, line: str) -> None: ...


@contextmanager
def progress_shown(title: str, quiet: bool = False) -> Iterator[Progress]:
    console = Terminal(stderr=True)
    if quiet:
        yield _NoProgress()
    elif console.is_terminal:
        # rich would read colours and links out of what others print meanwhile
        with Live(
            console=console,
            refresh_per_second=4,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as live:
            yield _TablePrinter(title, live)
    else:
        yield _LinePrinter(title)


class _NoProgress:
    def __call__(self, figures: Figures) -> None:
        pass

    def say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


class _Printer:
    def __init__(self, title: str) -> None:
        self._title = title
        self._began_s = time.monotonic()

    def _parts(self, figures: Figures) -> list[tuple[str, str]]:
        elapsed_s = max(time.monotonic() - self._began_s, 1e-9)
        return figures.parts(figures.visits / elapsed_s)


class _TablePrinter(_Printer):
    def __init__(self, title: str, live: Live) -> None:
        super().__init__(title)
        self._live = live

    def say(self, line: str) -> None:
        """Above the table."""
        self._live.console.print(line, soft_wrap=True)

    def __call__(self, figures: Figures) -> None:
        crawl = _table(self._title, self._parts(figures))
        queue = _table("", queue_parts(figures.fetchers))
        held_back = Text(f"held back by: {figures.held_back}")
        shown = (crawl, queue, held_back) if figures.held_back else (crawl, queue)
        self._live.update(Group(*shown))


class _LinePrinter(_Printer):
    def __init__(self, title: str) -> None:
        super().__init__(title)
        self._printed_s = time.monotonic()

    def say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    def __call__(self, figures: Figures) -> None:
        if time.monotonic() - self._printed_s < PLAIN_EVERY_S:
            return
        self._printed_s = time.monotonic()
        parts = [*self._parts(figures), *queue_parts(figures.fetchers)]
        line = ", ".join(f"{name} {value}" for name, value in parts)
        if figures.held_back:
            line += f"; held back by: {figures.held_back}"
        print(f"{self._title}: {line}", file=sys.stderr, flush=True)


def _table(title: str, parts: list[tuple[str, str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for name, _ in parts:
        table.add_column(name, justify="right")
    table.add_row(*(value for _, value in parts))
    return table
