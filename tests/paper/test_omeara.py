"""What `omeara` says of its Figures 3–5, in graphs like its own but smaller: numbers to reach, and
the tables.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.omeara import fig_3, fig_4_5
from trapline.laboratory.papers.omeara.traversal_runs import (
    GraphSetting,
    TraversalCase,
    TraversalResult,
    sweep_traversals,
)
from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Report
from trapline.laboratory.study.sweep import Extent

SMALL = GraphSetting(pages=6_000, hosts=50)
COMMON = replace(SMALL, topical_share=0.22)
SEEDS = 4
GREEDIER = (("gamma", 0.0), ("ties", "random"))
CASES = [
    *(one for one in fig_3.cases_of(SMALL) if not one.name.endswith(fig_3.COMMON)),
    TraversalCase("V0, common", "q-learning", COMMON, 30, fig_3.V0),
    TraversalCase("V1, common", "q-learning", COMMON, 30, fig_3.V1),
    TraversalCase("γ = 0", "q-learning", SMALL, 30, GREEDIER),
]


@pytest.fixture(scope="module")
def found() -> dict[str, TraversalResult]:
    return sweep_traversals(CASES, Extent(SEEDS), lambda share, what: None)


def test_the_first_traversals_are_worse_than_random(
    found: dict[str, TraversalResult],
) -> None:
    for name in ("V0", "V1", "V0, ties to the last"):
        for traversal in (1, 2):
            assert (found[name].at(traversal) < found["random"].at(1)).all()


def test_between_equals_the_first_comes_first_is_breadth_first_and_no_worse_than_random_here(
    found: dict[str, TraversalResult],
) -> None:
    """The paper does not say how it breaks ties; with this rule its claim does not hold in our
    graphs.
    """
    assert found["V0, ties to the first"].at(1).mean() > found["random"].at(1).mean()


def test_fringe_greedy_is_passed_within_ten_traversals(
    found: dict[str, TraversalResult],
) -> None:
    for name in ("V0", "V0, ties to the first", "V0, ties to the last"):
        passed = fig_3.first_above(found[name], found["fringe-greedy"])
        assert (passed > 2).all() and (passed <= 10).all()


def test_ninety_five_per_cent_of_the_upper_bound_after_thirty(
    found: dict[str, TraversalResult],
) -> None:
    for name in ("V0", "V0, ties to the first", "V0, ties to the last"):
        assert (found[name].at(30) > 0.95).all()
        assert (found[name].at(30) < found["dominator bound"].at(1)).all()


def test_to_the_letter_it_learns_less(found: dict[str, TraversalResult]) -> None:
    """V1: .965 by an independent computation; so it is where many pages are on topic, and less
    where few are.
    """
    assert found["V1, common"].at(30).mean() == pytest.approx(0.965, abs=0.01)
    assert found["V0, common"].at(30).mean() == pytest.approx(0.99, abs=0.01)
    assert (found["V1"].at(30) < found["V0"].at(30) - 0.02).all()


def test_without_looking_ahead_it_is_fringe_greedy(
    found: dict[str, TraversalResult],
) -> None:
    assert np.abs(found["γ = 0"].at(30) - found["fringe-greedy"].at(1)).max() < 0.01


def test_the_order_of_all(found: dict[str, TraversalResult]) -> None:
    names = (
        "random",
        "best-first",
        "fringe-greedy",
        "V0",
        "dominator bound",
        "upper bound",
    )
    shares = [found[name].at(30) for name in names]
    assert (np.diff(shares, axis=0) > 0.0).all()
    assert found["upper bound"].at(1).tolist() == [1.0] * SEEDS
    assert found["dominator bound"].at(1).min() > 0.99


def test_poor_pages_that_lead_on_are_asked_for_sooner(
    found: dict[str, TraversalResult],
) -> None:
    assert (
        fig_4_5.count_poor(found["V0"], 350)
        > fig_4_5.count_poor(found["fringe-greedy"], 350)
    ).all()
    later = [
        fig_4_5.share_found(found[name], found["upper bound"], 350).mean()
        for name in ("V0", "fringe-greedy")
    ]
    assert later[0] > later[1]


def test_passed_counts_traversals() -> None:
    learner = TraversalResult(
        "a", np.array([[0.1, 0.5, 0.9], [0.1, 0.2, 0.3]]), np.zeros((2, 1)), np.ones(2)
    )
    level = TraversalResult("b", np.array([[0.4], [0.4]]), np.zeros((2, 1)), np.ones(2))
    assert fig_3.first_above(learner, level).tolist() == [2.0, 4.0]


VERDICTS = {"holds", "fails", "holds in part", "not decided"}
FIGURES = ["omeara/fig-3", "omeara/fig-4", "omeara/fig-5"]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Report, Path]]:
    with pytest.MonkeyPatch.context() as patch:
        tiny = GraphSetting(1_200, 20)
        patch.setattr(fig_3, "QUICK", tiny)
        patch.setattr(fig_4_5, "QUICK", tiny)
        out = tmp_path_factory.mktemp("omeara")
        return {
            name: (run_experiment(name, quick=True, out=out), out) for name in FIGURES
        }


@pytest.mark.parametrize("name", FIGURES)
def test_tables_and_figures(name: str, reports: dict[str, tuple[Report, Path]]) -> None:
    report, out = reports[name]
    assert report.title == EXPERIMENTS[name].title
    assert {row["verdict"] for row in report.rows if "verdict" in row} <= VERDICTS
    assert [path.suffix for path in report.figures] == [".svg", ".png"]
    assert all(path.stat().st_size > 10_000 for path in report.figures)
    assert (out / f"{name.replace('/', '-')}.csv").is_file()


def test_the_papers_numbers_stand_beside_ours(
    reports: dict[str, tuple[Report, Path]],
) -> None:
    rows = {row["id"]: row for row in reports["omeara/fig-3"][0].rows}
    assert rows["number/of the bound after 30 traversals"]["paper"] == 0.96
    assert rows["number/traversals until fringe-greedy is passed"]["paper"] == 7
