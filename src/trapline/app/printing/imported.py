"""What `import` prints: each job, what was taken over of it, and what could not be."""

from __future__ import annotations

from typing import Final

from rich.table import Table

from trapline.app.output.standard_output import print_json
from trapline.app.printing.fact_table import print_table
from trapline.app.watch_import.import_list import ImportReport
from trapline.app.watch_import.imported_page import ImportedPage

_COLUMNS: Final = ("job", "taken over", "not taken over")


def print_import(report: ImportReport, as_json: bool) -> None:
    if as_json:
        print_json(report.as_dict())
        return
    table = Table()
    for name in _COLUMNS:
        table.add_column(name, overflow="fold")
    rules = [report.for_all] if report.for_all.values or report.for_all.lost else []
    for page in (*rules, *report.pages):
        table.add_row(page.job, _say_taken(page), _say_lost(page))
    print_table(table)
    taken = sum(not page.left_out for page in report.pages)
    print(f"{taken} of {len(report.pages)} pages are written to {report.out}.")
    if report.notify:
        print(f"Changes are told to {report.notify} services, as before.")
    for why in report.notify_lost:
        print(f"Not taken over: a service that was told changes. {why}")
    print(f"Next: trapline watch {report.out} --contact you@example.org")


def _say_taken(page: ImportedPage) -> str:
    return "–" if page.left_out else ", ".join(page.values)


def _say_lost(page: ImportedPage) -> str:
    return "\n".join(["all of it: " + page.left_out] if page.left_out else page.lost)
