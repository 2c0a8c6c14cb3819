"""The experiments of `whittle` and `lspe` in their quick forms: rows, remarks,
figures, progress.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.laboratory.papers.lspe.learners import (
    MAKERS,
    ON_TABLE,
    POLICIES,
    QUICK,
    LearnerSizes,
    cases_of,
)
from trapline.laboratory.papers.lspe.learners_report import (
    INK,
    WANTED,
    LearnerRun,
    make_report,
)
from trapline.laboratory.study import sweep
from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Progress, Report, file_name
from trapline.laboratory.study.sweep import extent_for
from trapline.laboratory.worlds.ephemeral import random_sources

FIGURES = [f"whittle/fig-{number}" for number in (1, 2, 3, 4)]
NAMES = ["lspe/learners", "lspe/table-1", *FIGURES, "whittle/table-1"]


def noting(done: list[float]) -> Progress:
    return lambda share, what: done.append(share)


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, tuple[Report, list[float]]]:
    def no_pool(*args: object, **options: object) -> None:
        raise AssertionError("the quick form works in this process")

    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "ProcessPoolExecutor", no_pool)
        for name in NAMES:
            done: list[float] = []
            out = tmp_path_factory.mktemp(file_name(name))
            found[name] = (
                run_experiment(
                    name, progress=noting(done), out=out, quick=True, seeds=2
                ),
                done,
            )
    return found


@pytest.mark.parametrize("name", NAMES)
def test_each_has_rows_remarks_figures_and_its_title(
    name: str, made: dict[str, tuple[Report, list[float]]]
) -> None:
    report, done = made[name]
    assert (report.id, report.title) == (name, EXPERIMENTS[name].title)
    assert len(report.rows) >= 5 and report.remarks
    assert [path.name for path in report.figures] == [
        f"{file_name(name)}.svg",
        f"{file_name(name)}.png",
    ]
    assert all(path.stat().st_size > 10_000 for path in report.figures)
    assert done == sorted(done) and done[-1] == 1.0


def test_the_tables_say_where_the_paper_is_wrong(
    made: dict[str, tuple[Report, list[float]]],
) -> None:
    rows = {str(row["id"]): row for row in made["whittle/table-1"][0].rows}
    assert rows["M=1/index policy"]["paper"] == 254.66
    assert rows["M=1/index policy"]["ours"] == pytest.approx(260.38993, abs=1e-5)
    assert "first 61 slots" in str(rows["M=1/index policy"]["remark"])
    rows = {str(row["id"]): row for row in made["lspe/table-1"][0].rows}
    assert rows["lspe/as published"]["paper"] == 160.0
    assert rows["whittle, M = 1"]["paper"] == 283.0
    assert any(
        "an independent computation has 239 ± 11 at 1.2 arms" in remark
        for remark in made["lspe/table-1"][0].remarks
    )


def test_without_a_folder_nothing_is_drawn() -> None:
    assert run_experiment("whittle/fig-1").figures == []


# lspe/learners


def test_all_policies_take_part_in_all_settings(
    made: dict[str, tuple[Report, list[float]]],
) -> None:
    assert set(POLICIES) == set(INK)
    ids = {str(row["id"]) for row in made["lspe/learners"][0].rows}
    settings = ("Table I, M = 1", "Table I, M = 2", "200 random, M = 10")
    expected = {
        f"{policy}/{setting}, {model}"
        for policy in MAKERS
        for setting in settings
        for model in _MODELS
        if setting.startswith("Table") or policy not in ON_TABLE
    }
    assert ids == expected | {f"lspe/Table I, {model}" for model in _MODELS}


_MODELS = ("mean", "stochastic")


def test_the_full_form_has_20_seeds_where_something_is_random() -> None:
    extent = extent_for(quick=False, seeds=None)
    cases = cases_of(LearnerSizes(), extent.seeds)
    counts = {(case.policy, case.group): len(case.all_seeds) for case in cases}
    assert len(counts) == len(cases)
    assert (
        counts["adaptive-whittle", "Table I, M = 1, mean"]
        == counts["lspe", "Table I, mean"]
        == 20
    )
    assert counts["whittle", "Table I, M = 2, mean"] == 1
    assert counts["adaptive-whittle", "10,000 random, M = 500, mean"] == 2
    assert counts["greedy", "10,000 random, M = 500, stochastic"] == 2
    assert counts["greedy", "10,000 random, M = 500, mean"] == 1
    assert {
        case.checkpoints[-1] * case.budget / case.random_sources
        for case in cases
        if case.random_sources
    } == {50.0}
    assert set(WANTED) < set(counts)
    quick = extent_for(quick=True, seeds=None)
    assert quick.workers == 0
    assert sum(len(case.all_seeds) for case in cases_of(QUICK, quick.seeds)) < sum(
        counts.values()
    )


def test_random_sources_are_as_said_and_drawn_by_their_seed() -> None:
    one = random_sources(500, 1)
    same = random_sources(500, 1)
    other = random_sources(500, 2)
    assert one.decay.tolist() == same.decay.tolist() != other.decay.tolist()
    for column, low, high in (
        (one.arrival_rate, 0.1, 100.0),
        (one.utility, 0.01, 1.0),
        (one.decay, 0.01, 1.0),
    ):
        assert low <= column.min() < 1.2 * low and 0.8 * high < column.max() <= high


def test_who_knows_is_best_and_who_learns_comes_near(
    made: dict[str, tuple[Report, list[float]]],
) -> None:
    share = {
        str(row["id"]): float(str(row["ours"])) for row in made["lspe/learners"][0].rows
    }
    for setting in ("Table I, M = 1, mean", "Table I, M = 2, mean"):
        assert (
            0.98
            < share[f"adaptive-whittle/{setting}"]
            <= share[f"whittle/{setting}"]
            <= 1.0
        )
    assert (
        share["greedy/200 random, M = 10, mean"]
        < share["frequency/200 random, M = 10, mean"]
    )


def test_the_last_tenth_leaves_out_what_learning_cost(
    made: dict[str, tuple[Report, list[float]]],
) -> None:
    rows = {str(row["id"]): row for row in made["lspe/learners"][0].rows}
    for name, row in rows.items():
        assert (
            float(str(row["least last tenth"])) <= float(str(row["last tenth"])) + 1e-12
        )
        if name.startswith("adaptive-whittle/200 random"):
            assert float(str(row["last tenth"])) > float(str(row["ours"]))
            assert row["wanted"] is row["wanted of"] is None  # this is the quick form
    assert (
        made["lspe/learners"][0]
        .remarks[0]
        .startswith("adaptive-whittle, 200 random, M = 10, mean: ")
    )
    assert "after 5 visits a source" in made["lspe/learners"][0].remarks[0]
    assert "; whittle, told all, then " in made["lspe/learners"][0].remarks[0]


def test_the_report_by_hand() -> None:
    curves = [
        LearnerRun(
            policy, group, (10, 10_000), np.array([1.0, reward]), reward, 50.0, 260.0
        )
        for policy, group, reward in (
            ("adaptive-whittle", "Table I, M = 1, mean", 259.5),
            ("adaptive-whittle", "Table I, M = 1, mean", 258.5),
            ("greedy", "20 random, M = 1, mean", 130.0),
        )
    ]
    first, second = make_report(curves, None).rows
    assert (
        first["wanted"],
        first["wanted of"],
        first["least reward"],
        first["seeds"],
    ) == (259.0, "reward", 258.5, 2)
    assert first["ours"] == pytest.approx(259.0 / 260.0)
    assert (second["ours"], second["low"], second["high"], second["wanted"]) == (
        0.5,
        0.5,
        0.5,
        None,
    )


@pytest.mark.parametrize(
    ("late", "says"),
    [
        (
            96.5,
            "96.50% of the bound after 50 visits a source, wanted 97%: NOT reached; 2.50% from 99%",
        ),
        (
            98.25,
            "98.25% of the bound after 50 visits a source, wanted 97%: reached; 0.75% from 99%",
        ),
        (
            99.5,
            "99.50% of the bound after 50 visits a source, wanted 97%: reached; 99% reached too",
        ),
    ],
)
def test_the_worst_seed_says_whether_the_learner_came_near_enough(
    late: float, says: str
) -> None:
    group = "10,000 random, M = 500, mean"
    runs = [
        LearnerRun(
            "adaptive-whittle",
            group,
            (10, 1_000),
            np.array([10.0, 90.0]),
            found,
            50.0,
            100.0,
        )
        for found in (late, 99.9)
    ]
    table = LearnerRun(
        "greedy", "Table I, M = 1, mean", (10, 20), np.array([1.0, 1.0]), 1.0, 5.0, 2.0
    )
    report = make_report([*runs, table], None)
    assert says in report.remarks[0]
    assert (report.rows[0]["wanted"], report.rows[0]["wanted of"]) == (
        0.97,
        "last tenth",
    )
    assert report.rows[0]["least last tenth"] == pytest.approx(late / 100.0)
