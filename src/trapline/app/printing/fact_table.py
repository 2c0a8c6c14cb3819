"""Names and values, as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trapline.app.output.readable_text import readable
from trapline.app.output.terminal import Terminal

_LONGEST_VALUE: Final = 24  # columns, with blanks in it: more is a text,
_LONGEST_NAME: Final = 12  # and without a number
_LEAST_TEXT: Final = 10  # columns,
_MOST_LINES: Final = 5  # and about so many lines
_BORDERS: Final = 3  # columns: a line, and a blank on either side of what stands there
_INDENT: Final = 2


def fact_table(title: str, facts: Iterable[tuple[str, str]]) -> Table:
    table = Table(title=title, show_header=False, title_justify="left")
    for name, value in facts:
        table.add_row(name, value)
    return table


class RowTable:
    """Rows below headings. Ids and numbers are never broken: texts fold as far as they can, and
    where that is not enough each row stands by itself, with names for its values.
    """

    def __init__(
        self, title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]
    ) -> None:
        self._title = title
        self._columns = list(columns)
        self._rows = [[readable(cell) for cell in row] for row in rows]

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        if self._title:
            yield Text(self._title, "italic")
        widths = column_widths(self._columns, self._rows, options.max_width)
        if widths is None:
            yield from self._blocks(options.max_width - _INDENT)
        else:
            yield self._table(widths)

    def _table(self, widths: list[int]) -> Table:
        """The first column is left-aligned, and so are texts; others are numbers or words on the
        right.
        """
        table = Table()
        for place, name in enumerate(self._columns):
            is_name = place == 0 or any(_is_text(row[place]) for row in self._rows)
            table.add_column(
                name,
                justify="left" if is_name else "right",
                width=widths[place],
                overflow="fold",
            )
        for row in self._rows:
            table.add_row(*row)
        return table

    def _blocks(self, width: int) -> RenderResult:
        for first, *others in self._rows:
            yield Text(first, overflow="fold")
            pairs = zip(self._columns[1:], others, strict=True)
            said = [f"{name} {value}" for name, value in pairs if value]
            facts = fill_lines(said, width)
            indented = Text(facts, "dim", overflow="fold")
            yield Padding(indented, (0, 0, 0, _INDENT), expand=False)


def column_widths(
    columns: Sequence[str], rows: Sequence[Sequence[str]], room: int
) -> list[int] | None:
    """So wide that only texts and headings fold, and never the first column, of names; None = there
    is no room for that.

    >>> column_widths(["id", "visits a day"], [["htraa/fig-10", "1,234"]], 40)
    [12, 12]
    >>> column_widths(["id", "visits a day"], [["htraa/fig-10", "1,234"]], 28)
    [12, 9]
    >>> column_widths(["id", "visits a day"], [["htraa/fig-10", "1,234"]], 20)
    """
    least = []
    wishes = []
    for place, name in enumerate(columns):
        cells = [row[place] for row in rows]
        folds = place > 0 and any(map(_is_text, cells))
        of_cells = map(_least_width if folds else cell_len, cells)
        least.append(max([_longest_word(name), *of_cells]))
        wishes.append(max(map(cell_len, [name, *cells])))
    spare = room - _BORDERS * len(columns) - 1 - sum(least)
    if spare < 0:
        return None
    widths = []
    for narrow, wish in zip(least, wishes, strict=True):
        widths.append(narrow + min(wish - narrow, spare))
        spare -= widths[-1] - narrow
    return widths


def fill_lines(parts: Sequence[str], width: int) -> str:
    """Parts with commas between them, broken between parts where there is room for each.

    >>> print(fill_lines(["pages 12", "gap 1 s", "price 0.5 ± 0.1"], 20))
    pages 12, gap 1 s,
    price 0.5 ± 0.1
    """
    lines: list[str] = []
    for number, part in enumerate(parts):
        said = part if number == len(parts) - 1 else f"{part},"
        if lines and cell_len(lines[-1]) + 1 + cell_len(said) <= width:
            lines[-1] += f" {said}"
        else:
            lines.append(said)
    return "\n".join(lines)


def _is_text(cell: str) -> bool:
    """Not a name, or a number with its unit.

    >>> [_is_text(cell) for cell in ("posterior", "0.1234 ± 0.0123", "counts one more")]
    [False, False, True]
    """
    longest = _LONGEST_VALUE if any(map(str.isdigit, cell)) else _LONGEST_NAME
    return cell_len(cell) > longest and " " in cell.strip()


def _least_width(cell: str) -> int:
    """In a column of texts."""
    return max(_LEAST_TEXT, cell_len(cell) // _MOST_LINES, _longest_word(cell))


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


def print_facts(title: str, facts: Iterable[tuple[str, str]]) -> None:
    """The title, a folder or a URL, is not wrapped with the table: people copy it."""
    console = Terminal()
    console.print(title, soft_wrap=True)
    console.print(fact_table("", facts))


def print_table(table: Table | RowTable) -> None:
    Terminal().print(table)
