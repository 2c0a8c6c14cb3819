"""Experiments on the screen: a progress bar while they run, a table, remarks, and where the files
are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from trapline.app.output.extras import check_laboratory
from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.app.printing.fact_table import RowTable
from trapline.laboratory.study.registry import (
    list_experiments,
    load_experiment,
    run_experiment,
)
from trapline.laboratory.study.report import Cell, Progress, Report, write_csv

PLAIN_WIDTH = 120  # a file or pipe has no width of its own


def print_list(as_json: bool) -> None:
    found = list_experiments()
    if as_json:
        print_json([{"id": one.id, "title": one.title} for one in found])
        return
    rows = ((one.id, one.title) for one in found)
    laboratory_terminal().print(RowTable("", ("id", "what it shows"), rows))


def run_and_print(
    ids: list[str],
    out: Path,
    quick: bool,
    seeds: int | None,
    data: Path | None,
    as_json: bool,
) -> None:
    check_laboratory()
    for name in ids:
        load_experiment(name, data)  # an unknown id is told before any of them has run
    reports = []
    for name in ids:
        with _bar(name, as_json) as progress:
            reports.append(
                run_experiment(
                    name,
                    progress=progress,
                    out=out,
                    quick=quick,
                    seeds=seeds,
                    data=data,
                )
            )
    if as_json:
        print_json([_as_dict(report) for report in reports])
        return
    for report in reports:
        print_report(report, out)


def compare_and_print(
    name: str, compare: Callable[[Progress], Report], out: Path, as_json: bool
) -> None:
    check_laboratory()
    with _bar(name, as_json) as progress:
        report = compare(progress)
    write_csv(report, out)
    if as_json:
        print_json(_as_dict(report))
    else:
        # a share, and an interval no narrower than a thousandth
        print_report(report, out, digits=4)


def make_and_print(folder: Path, out: Path | None, force: bool, as_json: bool) -> None:
    from trapline.app.commands.laboratory.lab_world import make_world

    with _bar("lab world", as_json) as progress:
        made = make_world(folder, out, force=force, progress=progress)
    if as_json:
        print_json(made.as_dict())
    else:
        print(made)


@contextmanager
def _bar(name: str, quiet: bool) -> Iterator[Progress]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[what]}", style="dim", markup=False),
    )
    console = Terminal(stderr=True)
    silent = quiet or not console.is_terminal
    with Bar(*columns, console=console, transient=True, disable=silent) as bar:
        task = bar.add_task(name, total=1.0, what="")
        yield lambda done, what: bar.update(task, completed=done, what=what)


def _as_dict(report: Report) -> dict[str, Any]:
    return {
        "id": report.id,
        "title": report.title,
        "rows": report.rows,
        "remarks": report.remarks,
        "figures": [str(path) for path in report.figures],
    }


def _cell(value: Cell, digits: int) -> str:
    if value is None:
        return "–"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def print_report(report: Report, out: Path, digits: int = 5) -> None:
    console = laboratory_terminal()
    rows = (
        [
            _cell(row.get(name), 2 if name == "difference" else digits)
            for name in report.columns
        ]
        for row in report.rows
    )
    console.print(RowTable(f"{report.id}: {report.title}", report.columns, rows))
    for remark in report.remarks:
        console.print(f"• {remark}")
    console.print(f"Table and figures are in {out}/", style="dim", soft_wrap=True)


def laboratory_terminal() -> Terminal:
    """As wide as the screen; a file or pipe gets a width of its own."""
    console = Terminal()
    if console.is_terminal or "COLUMNS" in os.environ:
        return console
    return Terminal(width=PLAIN_WIDTH)
