"""What a long run shows while it lasts: a live table on a terminal, a line now and
then in a log.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from trapline.app.folder.status import queue_parts
from trapline.robot.queue_gauge import QueueFigures

PLAIN_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Figures:
    visits: int
    held: int
    fringe: int
    gone: int
    market_price: float
    fetchers: QueueFigures
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


def _table(title: str, parts: list[tuple[str, str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for name, _ in parts:
        table.add_column(name, justify="right")
    table.add_row(*(value for _, value in parts))
    return table


def _tables(title: str, parts: list[tuple[str, str]], fetchers: QueueFigures) -> Group:
    return Group(_table(title, parts), _table("", queue_parts(fetchers)))


@contextmanager
def progress_shown(
    title: str, quiet: bool = False
) -> Iterator[Callable[[Figures], None]]:
    """A function to call with the figures as often as one likes."""
    began_s = time.monotonic()
    said_s = time.monotonic()
    console = Console(stderr=True)

    def parts(figures: Figures) -> list[tuple[str, str]]:
        return figures.parts(figures.visits / max(time.monotonic() - began_s, 1e-9))

    if quiet:
        yield lambda figures: None
    elif console.is_terminal:
        with Live(console=console, refresh_per_second=4) as live:
            yield lambda figures: live.update(
                _tables(title, parts(figures), figures.fetchers)
            )
    else:

        def say(figures: Figures) -> None:
            nonlocal said_s
            if time.monotonic() - said_s >= PLAIN_EVERY_S:
                said_s = time.monotonic()
                said = [*parts(figures), *queue_parts(figures.fetchers)]
                print(
                    f"{title}: " + ", ".join(f"{n} {v}" for n, v in said),
                    file=sys.stderr,
                    flush=True,
                )

        yield say
