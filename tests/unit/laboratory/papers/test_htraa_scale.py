"""htraa/scale in its quick form: the agenda beside the argmax, expected detections, and what not
knowing costs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.htraa.scale import (
    QUICK,
    WORLDS,
    SeedsBySize,
    cases_of,
    expected_rates,
)
from trapline.laboratory.papers.htraa.scale_report import (
    ARGMAX,
    LEARNER,
    NEAR,
    ScaleRun,
    make_report,
)
from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Report
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.theory.polling.realised import detections_of_schedule


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    out = tmp_path_factory.mktemp("scale")
    return run_experiment("htraa/scale", quick=True, out=out), out


def test_the_agenda_is_near_the_argmax_and_both_below_who_is_told(
    quick: tuple[Report, Path],
) -> None:
    report, out = quick
    rows = {str(row["id"]): float(row["ours"] or 0.0) for row in report.rows}
    pages = QUICK.argmax[0]
    for alpha, beta in WORLDS:
        where = f"α {alpha:g}, β {beta:g}, {pages:,} pages"
        assert 0.95 < rows[f"{where}: {LEARNER}/{ARGMAX}"] < 1.03
        assert (
            0.9
            < rows[f"{where}: {LEARNER}/bound"]
            < rows[f"{where}: known-rate/bound"]
            < 1.02
        )
    assert report.title == EXPERIMENTS["htraa/scale"].title
    assert sorted(path.name for path in out.iterdir()) == [
        f"htraa-scale.{end}" for end in ("csv", "png", "svg")
    ]


def test_expected_detections_are_those_of_the_schedule() -> None:
    world = PollingWorld([0.5, 0.2, 0.1])
    pages = np.array([0, 1, -1, 0, 2, 0])
    found = expected_rates(world, pages, np.array([2, 6]))
    assert found[0] == pytest.approx((0.5 + 0.36) / 2)
    assert found[1] == pytest.approx(((1 - 0.5**3) + (1 - 0.9**5) + (1 - 0.5**2)) / 4)
    whole = expected_rates(world, np.array([0, 1, 0]), np.array([3]))
    assert whole[0] == pytest.approx(detections_of_schedule([0.5, 0.2, 0.1], [0, 1, 0]))


def test_every_argmax_has_a_learner_of_the_same_seed_beside_it() -> None:
    for counts in (QUICK, SeedsBySize()):
        jobs = [(case, seed) for case in cases_of(counts) for seed in case.all_seeds]
        assert len(set(jobs)) == len(jobs)
        learners = {
            (case.world, case.pages, seed)
            for case, seed in jobs
            if case.policy == LEARNER
        }
        assert {
            (case.world, case.pages, seed)
            for case, seed in jobs
            if case.policy == ARGMAX
        } <= learners


def test_it_says_how_far_and_what_not_knowing_costs() -> None:
    def course(policy: str, pages: int, seed: int, share: float) -> ScaleRun:
        return ScaleRun(
            policy, (0.3, 1.5), pages, seed, (18.0, 20.0), np.array([0.5, share])
        )

    courses = [course(ARGMAX, 100, seed, 0.98) for seed in (1, 2)]
    courses += [course(LEARNER, 100, seed, 0.95) for seed in (1, 2, 3)]
    courses += [course(LEARNER, 100_000, seed, 0.96) for seed in (1, 2)]
    courses += [course("known-rate", 100_000, seed, 0.995) for seed in (1, 2)]
    report = make_report(courses, None)
    assert (
        "at least 96.94% of the exact argmax" in report.remarks[1]
        and "98.5%: NOT reached" in report.remarks[1]
    )
    assert (
        "96.00% of the bound, 3.00% from 99%" in report.remarks[2]
        and "costs 3.50%" in report.remarks[2]
    )
    [beside] = [
        row for row in report.rows if str(row["id"]).endswith("posterior/argmax")
    ]
    assert beside["ours"] == pytest.approx(0.95 / 0.98)
    assert (beside["wanted"], beside["seeds"]) == (NEAR, 2)
