"""The experiments of `talim` in their quick form: rows, remarks, progress and figures.

Its numbers: tests/paper.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.talim import claims
from trapline.laboratory.papers.talim.fig_6_to_8 import time_shares
from trapline.laboratory.papers.talim.printed import ERRATA, FIGURES, TABLE_1
from trapline.laboratory.papers.talim.table_1_2 import (
    UNEXPLAINED,
    agrees,
    rows_of,
    solve_cell,
)
from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Report

NAMES = [
    "talim/claims",
    *(f"talim/fig-{number}" for number in range(2, 9)),
    "talim/table-1",
    "talim/table-2",
]
Run = tuple[Report, list[float]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    out = tmp_path_factory.mktemp("talim")
    return {name: _run(name, out) for name in NAMES}


def _run(name: str, out: Path) -> Run:
    done: list[float] = []
    return run_experiment(
        name, progress=lambda share, what: done.append(share), out=out, quick=True
    ), done


@pytest.mark.parametrize("name", NAMES)
def test_the_registry_and_the_experiment_name_themselves_alike(
    runs: dict[str, Run], name: str
) -> None:
    report, _ = runs[name]
    assert (report.id, report.title) == (name, EXPERIMENTS[name].title)


@pytest.mark.parametrize("name", NAMES)
def test_progress_goes_from_nothing_to_all(runs: dict[str, Run], name: str) -> None:
    _, done = runs[name]
    assert (
        done[0] == 0.0 and done[-1] == 1.0 and done == sorted(done) and len(done) >= 3
    )


@pytest.mark.parametrize("name", NAMES)
def test_rows_say_paper_and_ours_and_files_are_written(
    runs: dict[str, Run], name: str
) -> None:
    report, _ = runs[name]
    assert report.rows and all(row["ours"] is not None for row in report.rows)
    assert any(row["paper"] is not None for row in report.rows)
    assert report.remarks
    if name != claims.ID:
        assert [path.name for path in report.figures] == [
            f"{name.replace('/', '-')}.{kind}" for kind in ("svg", "png")
        ]
        assert all(path.stat().st_size > 5_000 for path in report.figures)


@pytest.mark.parametrize("name", ["talim/table-1", "talim/table-2"])
def test_errata_are_remarked_and_nothing_else_differs(
    runs: dict[str, Run], name: str
) -> None:
    report, _ = runs[name]
    marked = {
        str(row["id"])
        for row in report.rows
        if str(row["remark"]).startswith("erratum: ")
    }
    table = name.partition("/")[2]
    known = {
        f"{cell.partition('/')[2]}/C_d"
        for cell in ERRATA
        if cell.startswith(table) and "K=10" in cell
    }
    assert marked == known and len(known) == 2
    assert not [row for row in report.rows if row["remark"] == UNEXPLAINED]


def test_a_number_that_differs_without_a_reason_is_told() -> None:
    [cell] = (cell for cell in TABLE_1 if cell.name == "λ=0.1,K=5,γ=1.4")
    misprinted = replace(solve_cell(cell), cell=replace(cell, min_fetchers=3))
    remarks = {
        str(row["id"]).rpartition("/")[2]: row["remark"] for row in rows_of(misprinted)
    }
    assert [name for name, remark in remarks.items() if remark == UNEXPLAINED] == [
        "N_min"
    ]


def test_numbers_agree_to_the_printed_digits() -> None:
    assert agrees("C_d", 0.32198, 0.3219849) and not agrees("C_d", 0.32198, 0.321986)
    assert agrees("N̄", 8.6, 8.579) and not agrees("N̄", 8.6, 8.53)
    assert agrees("N_min", 4, 4) and not agrees("N_min", 4, 5)


@pytest.mark.parametrize("name", ["talim/fig-6", "talim/fig-7", "talim/fig-8"])
def test_the_dynamic_figures_have_every_point_of_both_curves(
    runs: dict[str, Run], name: str
) -> None:
    rows = {str(row["id"]): row for row in runs[name][0].rows}
    assert rows["cost"]["paper"] == round(float(str(rows["cost"]["ours"])), 5)
    assert rows["iterations"]["paper"] == rows["iterations"]["ours"]
    points = [f"f0({r})" for r in range(16)] + [f"f1({r})" for r in range(1, 17)]
    assert all(rows[point]["ours"] == rows[point]["recomputed"] for point in points)
    # the pictures are lost
    assert all(rows[point]["paper"] is None for point in points)


def test_shares_of_time_are_those_of_the_plan() -> None:
    queue = FIGURES[0].queue
    plan = queue.solve(FIGURES[0].fetchers)
    shares = time_shares(queue, plan)
    assert shares.sum() == pytest.approx(1.0)
    assert shares[0].sum() == pytest.approx(plan.starvation)
    assert (shares @ np.arange(plan.fetchers + 1)).sum() == pytest.approx(
        plan.mean_fetchers
    )


def test_no_claim_meets_an_exception(runs: dict[str, Run]) -> None:
    report, _ = runs[claims.ID]
    assert [row["id"] for row in report.rows] == [claim.id for claim in claims.CLAIMS]
    assert [row["id"] for row in report.rows if row["ours"] != 0] == []
    assert all(int(str(row["instances"])) > 0 for row in report.rows)
    assert report.remarks[0].endswith("no exception")


def test_a_claim_that_is_false_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_even(capacity: int) -> bool:
        """Every K is even."""
        return capacity % 2 == 0

    claim = claims.Claim(
        "Evenness",
        claims.SUSPECTED,
        is_even,
        ("K",),
        lambda sweep: product(sweep.capacities),
    )
    monkeypatch.setattr(claims, "CLAIMS", (claim,))
    [row] = claims.run(lambda done, what: None, None, True, None).rows
    assert (row["paper"], row["ours"], row["instances"], row["first exception"]) == (
        "suspected",
        1,
        2,
        "K=5",
    )
    assert row["remark"] == "Every K is even."


def test_the_sweep_has_hundreds_of_queues() -> None:
    plans = list(claims.Grid().plans())
    assert len(plans) == len(set(plans)) >= 700
