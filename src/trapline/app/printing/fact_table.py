"""Names and values, as people read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trapline.app.output.terminal import Terminal

_NARROW: Final = 60  # columns: tables of numbers would break their words


def fact_table(title: str, facts: Iterable[tuple[str, str]]) -> Table:
    table = Table(title=title, show_header=False, title_justify="left")
    for name, value in facts:
        table.add_row(name, value)
    return table


class RowTable:
    """Rows below headings; on a narrow terminal each row by itself, with names for its values."""

    def __init__(
        self, title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]
    ) -> None:
        self._title = title
        self._columns = list(columns)
        self._rows = [list(row) for row in rows]

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= _NARROW:
            yield self._table()
            return
        if self._title:
            yield Text(self._title, "italic")
        for first, *others in self._rows:
            yield Text(first, overflow="fold")
            pairs = zip(self._columns[1:], others, strict=True)
            facts = ", ".join(f"{name} {value}" for name, value in pairs)
            yield Padding(Text(facts, "dim"), (0, 0, 0, 2))

    def _table(self) -> Table:
        """The first column is left-aligned, the others are numbers or words on the right."""
        table = Table(title=self._title, title_justify="left")
        for place, name in enumerate(self._columns):
            table.add_column(
                name, justify="right" if place else "left", overflow="fold"
            )
        for row in self._rows:
            table.add_row(*row)
        return table


def print_facts(title: str, facts: Iterable[tuple[str, str]]) -> None:
    """The title, a folder or a URL, is not wrapped with the table: people copy it."""
    console = Terminal()
    console.print(title, soft_wrap=True)
    console.print(fact_table("", facts))


def print_table(table: Table | RowTable) -> None:
    Terminal().print(table)
