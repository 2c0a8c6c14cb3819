"""talim/table-1, talim/table-2: a fixed number of fetchers beside the best dynamic plan, for 45
queues.

Ours is exact: C_s and N_s by Lemma 1 and Proposition 1, C_d, N_min, N̄ and N_max of the plan that
policy iteration finds. The paper has C_d from value iteration (Proposition 4) where it stopped, so
that is run too: `C_d at stop` and `N_iter`. In Table 1 only the N_s fetchers of the static optimum
can be woken; Table 2 leaves their number free.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trapline.laboratory.papers.talim.printed import ERRATA, TABLE_1, TABLE_2, Cell
from trapline.laboratory.papers.talim.table_1_2_picture import table_picture
from trapline.laboratory.study.figures import COLUMNS, row
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.study.sweep import run_jobs
from trapline.theory.queueing.fetcher_queue import StaticPlan
from trapline.theory.queueing.switching import Plan
from trapline.theory.queueing.value_iteration import Iterated

TITLES: Final = {
    "talim/table-1": "Static against dynamic: the static optimum's fetchers, woken one by one",
    "talim/table-2": "Static against dynamic: as many fetchers as are ever worth waking",
}
ONE_MORE: Final = "counts one more"
UNEXPLAINED: Final = "NOT as printed"
# that are printed; the others are whole numbers
DIGITS: Final = {"C_s": 5, "C_d": 5, "C_d at stop": 5, "N̄": 1}


@dataclass(frozen=True, slots=True)
class SolvedCell:
    """A row of a table, by ourselves."""

    cell: Cell
    static: StaticPlan
    plan: Plan
    iterated: Iterated


def table_1(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Table 1. Nothing is random: `seeds` has no meaning."""
    return _run_table("talim/table-1", TABLE_1, progress, out, quick)


def table_2(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Table 2. Nothing is random: `seeds` has no meaning."""
    return _run_table("talim/table-2", TABLE_2, progress, out, quick)


def _run_table(
    name: str,
    cells: tuple[Cell, ...],
    progress: Progress,
    out: Path | None,
    quick: bool,
) -> Report:
    if quick:
        cells = tuple(cell for cell in cells if cell.capacity == 10)
    found = run_jobs(solve_cell, cells, 0, progress)
    rows = [one for each in found for one in rows_of(each)]
    figures = draw_figures(name, out, lambda: table_picture(TITLES[name], found))
    return Report(name, TITLES[name], COLUMNS, rows, _remarks(found, rows), figures)


def solve_cell(cell: Cell) -> SolvedCell:
    queue = cell.queue
    plan = queue.solve(cell.fetchers)
    iterated = queue.value_iteration(cell.fetchers)
    return SolvedCell(cell, queue.best_static(), plan, iterated)


def rows_of(solved: SolvedCell) -> list[Row]:
    """One row for each printed number, and what value iteration had when it stopped."""
    cell = solved.cell
    plan = solved.plan
    iterated = solved.iterated
    in_table_1 = cell.table == "table-1"
    numbers: list[tuple[str, float | None, float]] = [
        ("C_s", cell.static_cost, solved.static.cost),
        ("N_s", cell.static_fetchers, solved.static.fetchers),
        ("C_d", cell.cost, plan.cost),
        # of Table 2 the N is not told
        ("C_d at stop", cell.cost if in_table_1 else None, iterated.cost),
        ("N_min", cell.min_fetchers, plan.min_fetchers),
        ("N̄", cell.mean_fetchers, plan.mean_fetchers),
        ("N_iter", cell.iterations, iterated.iterations),
    ]
    if not in_table_1:
        numbers.append(("N_max", cell.max_fetchers, plan.max_fetchers))
    return [
        row(f"{cell.name}/{what}", paper, ours, _remark(cell, what, paper, ours))
        for what, paper, ours in numbers
    ]


def agrees(what: str, paper: float, ours: float) -> bool:
    """Whether ours, rounded to as many digits, is what the paper prints.

    >>> agrees("C_d", paper=0.32198, ours=0.3219830), agrees("N_s", paper=10, ours=11)
    (True, False)
    """
    return round(ours, DIGITS.get(what, 0)) == paper


def _remark(cell: Cell, what: str, paper: float | None, ours: float) -> str:
    if paper is None or agrees(what, paper, ours):
        return ""
    if what == "C_d" and cell.id in ERRATA:
        return f"erratum: {ERRATA[cell.id].why}"
    return ONE_MORE if what == "N_iter" and paper == ours + 1 else UNEXPLAINED


def _remarks(found: list[SolvedCell], rows: list[Row]) -> list[str]:
    in_table_1 = found[0].cell.table == "table-1"
    printed = [
        one
        for one in rows
        if one["paper"] is not None and not str(one["id"]).endswith("at stop")
    ]
    plain = sum(one["remark"] == "" for one in printed)
    errata = sum(str(one["remark"]).startswith("erratum") for one in printed)
    remarks = [
        f"{plain} of {len(printed)} printed numbers agree to the last digit; {errata} are errata",
        "γ printed 1.13 is 17/15 = γ(15); μ = 1.0, as the captions say (the text's 0.5 is wrong)",
    ]
    return remarks + (
        _about_table_1(found, rows) if in_table_1 else _about_table_2(found)
    )


def _about_table_1(found: list[SolvedCell], rows: list[Row]) -> list[str]:
    too_high = max(one.iterated.cost - one.plan.cost for one in found)
    stopped = sum(agrees("C_d", one.cell.cost, one.iterated.cost) for one in found)
    one_more = sum(one["remark"] == ONE_MORE for one in rows)
    return [
        f"C_d as printed is what value iteration has when it stops, in {stopped} of "
        f"{len(found)} rows; that is up to "
        f"{too_high:.1e} above the least cost",
        f"N_iter as printed is one more than ours in {one_more} of {len(found)} rows; the "
        "counts in the captions of "
        "Figures 6–8 are ours exactly",
    ]


def _about_table_2(found: list[SolvedCell]) -> list[str]:
    most = max(one.plan.max_fetchers / one.cell.fetchers for one in found)
    return [
        (
            "N is not told: 70 (λ=0.05) and 45 (λ=0.1) were there to wake; N_max is at most "
            f"{most:.0%} of that"
        ),
        (
            "the two errata look like one slip: 0.12020 belongs a row lower, and what is there is "
            "Table 1's cost"
        ),
    ]
