"""Names and values, as people read them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from trapline.app.output.terminal import Terminal


def fact_table(title: str, facts: Iterable[tuple[str, str]]) -> Table:
    table = Table(title=title, show_header=False, title_justify="left")
    for name, value in facts:
        table.add_row(name, value)
    return table


def row_table(
    title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]
) -> Table:
    """The first column is left-aligned, the others are numbers or words on the right."""
    table = Table(title=title, title_justify="left")
    for place, name in enumerate(columns):
        table.add_column(name, justify="right" if place else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def print_facts(title: str, facts: Iterable[tuple[str, str]]) -> None:
    """The title, a folder or a URL, is not wrapped with the table: people copy it."""
    console = Terminal()
    console.print(title, soft_wrap=True)
    console.print(fact_table("", facts))


def print_table(table: Table) -> None:
    Terminal().print(table)
