"""talim/learners in a small form: rows, remarks, figures, and a judge who knows the best plan."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.talim.learners import (
    MAKERS,
    QUICK,
    CellCase,
    Setup,
    TableSizes,
    _Judge,
    run_case,
    run_study,
)
from trapline.laboratory.papers.talim.learners_report import (
    ID,
    INK,
    TITLE,
    CellCosts,
    columns_of,
    make_report,
)
from trapline.laboratory.papers.talim.printed import CELLS, MU, Cell
from trapline.laboratory.study import sweep
from trapline.laboratory.study.report import Report, Row
from trapline.laboratory.study.sweep import Extent, extent_for
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.adaptive import PlanBook
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.policies.fetchers.phase_type import PhaseBook
from trapline.policies.registry import FETCHERS

TWO = tuple(
    cell
    for cell in CELLS
    if cell.id in ("table-1/λ=0.1,K=5,γ=1.4", "table-1/λ=0.1,K=10,γ=1.2")
)
SMALL = TableSizes(cells=TWO, checkpoints=(300, 1000))
TWO_SEEDS = Extent(seeds=2)


def setup_of(cell: Cell, seed: int = 1) -> Setup:
    told = (cell.fetchers, cell.capacity, cell.weight / MU)
    return Setup(cell, seed, PlanBook(*told), PhaseBook(*told))


def number(row: Row, column: str) -> float:
    return float(str(row[column]))


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Report, list[tuple[float, str]]]:
    def no_pool(*args: object, **options: object) -> None:
        raise AssertionError("the quick form works in this process")

    done: list[tuple[float, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "ProcessPoolExecutor", no_pool)
        report = run_study(
            SMALL,
            TWO_SEEDS,
            lambda share, what: done.append((share, what)),
            tmp_path_factory.mktemp("learners"),
        )
    return report, done


def test_all_policies_take_part() -> None:
    # joint weighs prices of visits, which this world has none of: whittle/joint-control plays it
    assert set(MAKERS) == set(FETCHERS) - {"joint"} == set(INK)
    assert len(TWO) == 2


def test_the_quick_form_needs_no_other_process() -> None:
    assert extent_for(quick=True, seeds=None).workers == 0
    assert set(QUICK.cells) < set(TableSizes().cells) == set(CELLS)
    assert set(QUICK.checkpoints) < set(TableSizes().checkpoints)


def test_rows_for_each_policy_and_cell(
    made: tuple[Report, list[tuple[float, str]]],
) -> None:
    report, _ = made
    assert (report.id, report.title, report.columns) == (
        ID,
        TITLE,
        columns_of(SMALL.checkpoints),
    )
    assert report.columns[-1] == "at 300"
    ids = [row["id"] for row in report.rows]
    summaries = [
        f"{name}/all 2 cells/{events} events"
        for name in MAKERS
        for events in ("300", "1,000")
    ]
    assert ids == summaries + [f"{name}/{cell.id}" for name in MAKERS for cell in TWO]
    for row in report.rows:
        assert number(row, "ours") >= 1.0 - 1e-9  # nobody is better than the best
        assert number(row, "worst") >= number(row, "ours") - 1e-9
        assert row["seeds"] == 2
        assert number(row, "low") <= number(row, "ours") <= number(row, "high")
        last = not str(row["id"]).endswith("/300 events")
        assert row["wanted"] == (
            1.02 if last and str(row["id"]).startswith("adaptive/") else None
        )
        assert ("at 300" in row) == (row["id"] not in summaries)


def test_who_is_told_is_best_and_who_learns_comes_near(
    made: tuple[Report, list[tuple[float, str]]],
) -> None:
    rows = {str(row["id"]): row for row in made[0].rows}
    assert number(rows["switching/all 2 cells/1,000 events"], "ours") == pytest.approx(
        1.0, abs=1e-9
    )
    for cell in TWO:
        assert number(rows[f"switching/{cell.id}"], "worst") == pytest.approx(
            1.0, abs=1e-9
        )
        assert number(rows[f"static/{cell.id}"], "ours") == pytest.approx(
            cell.static_cost / cell.cost, rel=1e-3
        )
        assert number(rows[f"adaptive/{cell.id}"], "ours") < 1.1
    learner, static = (
        rows[f"{name}/all 2 cells/1,000 events"] for name in ("adaptive", "static")
    )
    assert number(learner, "ours") < number(static, "ours")


def test_progress_goes_from_nothing_to_all(
    made: tuple[Report, list[tuple[float, str]]],
) -> None:
    shares = [share for share, _ in made[1]]
    assert shares[0] == 0.0 and shares[-1] == 1.0 and shares == sorted(shares)
    assert len(shares) == 1 + len(MAKERS) * len(TWO)
    assert made[1][-1][1] == f"autothrottle, {TWO[-1].id}"


def test_remarks_and_figures(made: tuple[Report, list[tuple[float, str]]]) -> None:
    report, _ = made
    assert report.remarks[0].startswith("adaptive after 1,000 events: worst run 1.")
    assert "of 4 runs above 1.02" in report.remarks[0]
    assert re.fullmatch(r"whole run: \d+ s; wanted ≤ 600", report.remarks[-1])
    assert [path.name for path in report.figures] == [
        "talim-learners.svg",
        "talim-learners.png",
    ]
    assert all(path.stat().st_size > 10_000 for path in report.figures)


def test_without_a_folder_nothing_is_drawn() -> None:
    sizes = TableSizes(cells=TWO[:1], checkpoints=(300,))
    report = run_study(sizes, TWO_SEEDS, lambda share, what: None, None)
    assert report.figures == []


# the judge


@pytest.mark.parametrize("cell", [TWO[0], TWO[1], CELLS[-1]], ids=lambda cell: cell.id)
def test_the_judge_takes_the_best_plan_for_1(cell: Cell) -> None:
    judge = _Judge(cell)
    world = QueueWorld(
        most=cell.fetchers,
        capacity=cell.capacity,
        fetch_rate=cell.fetch_rate,
        process_rate=MU,
    )
    assert judge.cost(MAKERS["switching"](setup_of(cell)), world) == pytest.approx(
        1.0, abs=1e-9
    )
    static = MAKERS["static"](setup_of(cell))
    expected = cell.queue.best_static().cost / cell.queue.solve(cell.fetchers).cost
    assert judge.cost(static, world) == pytest.approx(expected)
    assert judge.cost(static, world) == judge.cost(static, world) > 1.0


def test_the_judge_looks_at_what_average_reward_has_learnt_not_at_what_it_tries() -> (
    None
):
    cell = TWO[0]
    policy = AverageReward(cell.fetchers, cell.capacity, cell.weight / MU, explore=1.0)
    world = QueueWorld(
        most=cell.fetchers,
        capacity=cell.capacity,
        fetch_rate=cell.fetch_rate,
        process_rate=MU,
    )
    world.run(policy, 5000)
    best = cell.queue.solve(cell.fetchers).cost
    greedy = (
        cell.queue.play(policy.learnt_wakes(), world.queue, world.awake).cost / best
    )
    assert _Judge(cell).cost(policy, world) == pytest.approx(greedy)
    assert greedy != pytest.approx(
        cell.queue.play(policy.wakes(), world.queue, world.awake).cost / best, rel=1e-3
    )


def test_the_same_case_leads_to_the_same_curve() -> None:
    case = CellCase(TWO[0], "average-reward", seeds=2, checkpoints=(300, 1000))
    one = run_case(case)
    other = run_case(case)
    assert one.costs.shape == (2, 2)
    assert one.costs.tobytes() == other.costs.tobytes()
    assert one.costs[0].tolist() != one.costs[1].tolist()  # the seeds are not the same


# the report, by hand


def curves(adaptive: list[list[float]]) -> list[CellCosts]:
    return [
        CellCosts("fixed", "a", np.array([[2.0, 2.0], [2.0, 2.0]])),
        CellCosts("fixed", "b", np.array([[8.0, 4.0], [8.0, 12.0]])),
        CellCosts("adaptive", "a", np.array(adaptive)),
    ]


def test_means_of_cells_are_geometric_and_the_worst_run_is_told() -> None:
    report = make_report(curves([[1.5, 1.01], [1.3, 1.015]]), (10, 20), 61.4, None)
    rows = {str(row["id"]): row for row in report.rows}
    first, last = (rows[f"fixed/all 2 cells/{events} events"] for events in (10, 20))
    # of 2 and 8
    assert [number(first, name) for name in ("ours", "low", "high")] == pytest.approx(
        [4.0] * 3
    )
    # seed by seed: of 2 and 4, of 2 and 12
    assert number(last, "ours") == pytest.approx((8.0**0.5 + 24.0**0.5) / 2)
    assert number(last, "low") < number(last, "ours") < number(last, "high")
    assert (number(first, "worst"), number(last, "worst")) == (8.0, 12.0)
    assert report.remarks[-1] == "whole run: 61 s; wanted ≤ 600"
    assert number(rows["fixed/b"], "ours") == pytest.approx(8.0)
    assert number(rows["fixed/b"], "low") < 8.0 < number(rows["fixed/b"], "high")
    assert number(rows["adaptive/a"], "at 10") == pytest.approx(1.4)


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (1.015, "0 of 2 runs above 1.02: reached"),
        (1.03, "1 of 2 runs above 1.02: NOT reached"),
    ],
)
def test_what_was_wanted_is_said_to_be_reached_only_if_every_run_did(
    last: float, says: str, tmp_path: Path
) -> None:
    report = make_report(curves([[1.5, 1.01], [1.3, last]]), (10, 20), 1.0, tmp_path)
    assert says in report.remarks[0]
    assert f"worst run {last:.4f}" in report.remarks[0]
    assert all(path.parent == tmp_path and path.exists() for path in report.figures)
