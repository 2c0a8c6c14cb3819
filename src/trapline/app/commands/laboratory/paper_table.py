"""`lab papers`: the five papers line by line, as one table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from trapline.app.commands.laboratory.lab_output import laboratory_terminal
from trapline.app.output.standard_output import print_json
from trapline.laboratory.study.paper_book import (
    Paper,
    as_dict,
    lines_of,
    papers_named,
    say_verdicts,
)
from trapline.laboratory.study.paper_line import PaperLine

_ROOM: Final = 110  # columns from which places and checks have a column of their own
_BORDERS: Final = 3  # columns: a line, and a blank on either side of what stands there
_INDENT: Final = "  "
_PARTS: Final = re.compile(r"[^/._:#]+[/._:#]*|[/._:#]+")


def print_papers(key: str | None, as_json: bool) -> None:
    papers = papers_named(key)
    lines = [line for paper in papers for line in lines_of(paper.key)]
    if as_json:
        print_json([as_dict(line) for line in lines])
        return
    console = laboratory_terminal()
    console.print(PaperTable(papers))
    console.print(say_verdicts(lines))


class PaperTable:
    """A row a line. Ids are never broken; modules and tests are, where their names have joints."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._papers = papers

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        wide = options.max_width >= _ROOM
        columns = 3 if wide else 2
        ids = [line.id for paper in self._papers for line in lines_of(paper.key)]
        longest = max(map(len, ids))
        room = options.max_width - longest - _BORDERS * columns - 1
        width = room // (columns - 1)
        table = Table(show_lines=True)
        table.add_column("line", width=longest)
        table.add_column("what it says, and live", width=width)
        if wide:
            table.add_column("where it lives, how it is checked", width=width)
        for paper in self._papers:
            _add_paper(table, paper, width, wide)
        yield table


def _add_paper(table: Table, paper: Paper, width: int, wide: bool) -> None:
    title = Text(f"{paper.authors}: {paper.title}", "bold")
    table.add_row(Text(paper.key, "bold"), title)
    for line in lines_of(paper.key):
        cells = [_say_line(line), _list_checks(line, width)]
        if not wide:
            cells = [Text("\n").join(cells)]
        table.add_row(f"{line.id}\n{line.kind}\n{line.verdict}", *cells)


def _say_line(line: PaperLine) -> Text:
    number = [line.number.text] if line.number.text else []
    return Text("\n").join(map(Text, [line.says, *number, line.live.text]))


def _list_checks(line: PaperLine, width: int) -> Text:
    names = [line.where, *line.check]
    return Text("\n".join(break_name(name, width) for name in names), "dim")


def break_name(name: str, width: int) -> str:
    """A long name on several lines, broken behind its joints, the later lines indented.

    >>> print(break_name("laboratory.papers.omeara.full_model_runs:run_case", 24))
    laboratory.papers.
      omeara.full_model_
      runs:run_case
    """
    lines = [""]
    for part in _PARTS.findall(name):
        if lines[-1].strip() and len(lines[-1]) + len(part) > width:
            lines.append(_INDENT)
        lines[-1] += part
    return "\n".join(lines)
