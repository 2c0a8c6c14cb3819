"""What a crawl in shards shows while it lasts: sums and shards on a terminal, lines in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.table import Table

from trapline.app.output.terminal import Terminal
from trapline.app.printing.fact_table import RowTable
from trapline.app.shards.shard_figures import CrawlFigures, ShardFigures
from trapline.app.shards.shard_wording import SHARD_COLUMNS, shard_cells

PLAIN_EVERY_S: Final = 5.0
MOST_ROWS: Final = 16  # of shards; more do not fit on a screen

Show = Callable[[CrawlFigures], None]


@contextmanager
def shards_shown(title: str, *, quiet: bool) -> Iterator[Show]:
    console = Terminal(stderr=True)
    if quiet:
        yield lambda _: None
    elif console.is_terminal:
        with Live(console=console, refresh_per_second=2) as live:
            yield lambda figures: live.update(_tables(title, figures))
    else:
        yield _Lines(title)


class _Lines:
    def __init__(self, title: str) -> None:
        self._title = title
        self._said_s = time.monotonic()

    def __call__(self, figures: CrawlFigures) -> None:
        if time.monotonic() - self._said_s < PLAIN_EVERY_S:
            return
        self._said_s = time.monotonic()
        line = ", ".join(f"{name} {value}" for name, value in _sums(figures))
        print(f"{self._title}: {line}", file=sys.stderr, flush=True)


def _sums(figures: CrawlFigures) -> list[tuple[str, str]]:
    return [
        ("visits", f"{figures.visits:,}"),
        ("held", f"{figures.held:,}"),
        ("fringe", f"{figures.fringe:,}"),
        ("gone", f"{figures.gone:,}"),
        ("letters", f"{figures.letters:,}"),
        ("workers", f"{len(figures.workers)}"),
        ("shards at work", f"{figures.owned} of {len(figures.rows)}"),
    ]


def _tables(title: str, figures: CrawlFigures) -> Group:
    sums = Table(title=title, title_justify="left")
    for name, _ in _sums(figures):
        sums.add_column(name, justify="right")
    sums.add_row(*(value for _, value in _sums(figures)))
    return Group(sums, shard_table(figures.rows[:MOST_ROWS]))


def shard_table(shards: Sequence[ShardFigures]) -> RowTable:
    """A row for each shard."""
    return RowTable("shards", SHARD_COLUMNS, map(shard_cells, shards))
