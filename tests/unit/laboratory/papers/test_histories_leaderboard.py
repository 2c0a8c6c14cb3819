"""histories/leaderboard: who plays, where, and how the default's place is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from trapline.core.errors import UserMistake
from trapline.laboratory.compare.traces import ReplayedPolicy, ReplaySetting
from trapline.laboratory.compare.traces_report import ORACLE, UNIFORM, FreshnessRun
from trapline.laboratory.papers.histories.leaderboard import (
    DEFAULT,
    contestants,
    histories_in,
    judge,
    run,
)
from trapline.laboratory.study.registry import run_experiment
from trapline.laboratory.worlds.traces import SAMPLE
from trapline.policies.registry import policy_names, refresh_class

SETTING = ReplaySetting(SAMPLE, None, 10.0, 0.05, 100)


def runs_of(*freshness: float) -> list[FreshnessRun]:
    return [FreshnessRun(one, np.zeros(1), 0.05) for one in freshness]


def place(own: tuple[float, ...], rival: tuple[float, ...]) -> object:
    found = {
        DEFAULT: runs_of(*own),
        "posterior": runs_of(*rival),
        UNIFORM: runs_of(0.5, 0.52, 0.54),
        ORACLE: runs_of(0.9, 0.92, 0.94),
    }
    cases = {ReplayedPolicy(name, SETTING): runs for name, runs in found.items()}
    return judge(SETTING, cases).row_of(DEFAULT).get("place")


def test_the_default_is_first_tied_or_beaten() -> None:
    assert place((0.82, 0.84, 0.86), (0.7, 0.72, 0.74)) == "first"
    assert place((0.7, 0.73, 0.73), (0.7, 0.72, 0.75)) == "tied"
    assert place((0.7, 0.72, 0.74), (0.82, 0.84, 0.86)) == "beaten"


def test_shares_are_of_the_way_from_uniform_to_the_oracle_draw_by_draw() -> None:
    found = {
        ReplayedPolicy(DEFAULT, SETTING): runs_of(0.6, 0.72, 0.62),
        ReplayedPolicy(UNIFORM, SETTING): runs_of(0.5, 0.7, 0.6),
        ReplayedPolicy(ORACLE, SETTING): runs_of(0.9, 0.78, 0.68),
    }
    contest = judge(SETTING, found)
    own = contest.row_of(DEFAULT)
    # draws are unlike, the way that is gone in them is not
    assert own["share"] == pytest.approx(0.25)
    assert own["low"] == pytest.approx(0.25)
    assert contest.row_of(ORACLE)["share"] == pytest.approx(1.0)


def test_where_there_is_no_way_to_go_nothing_is_said_of_shares() -> None:
    found = {
        ReplayedPolicy(name, SETTING): runs_of(0.99, 0.99)
        for name in (DEFAULT, UNIFORM, ORACLE)
    }
    own = judge(SETTING, found).row_of(DEFAULT)
    assert "share" not in own and own["place"] is None


def test_all_play_that_can_run_live_and_compiled() -> None:
    playing = contestants()
    assert {DEFAULT, "posterior", UNIFORM, "nutch-adaptive"} <= set(playing)
    for name in set(policy_names("refresh")) - set(playing):
        kind = refresh_class(name)
        assert kind.laboratory_only or not kind.compiles


def test_histories_are_the_files_that_name_no_pages(tmp_path: Path) -> None:
    assert histories_in(None) == [SAMPLE]
    with pytest.raises(UserMistake, match="holds no history"):
        histories_in(tmp_path)
    for name in ("b.csv.gz", "a.csv.gz", "a.pages.csv.gz"):
        shutil.copyfile(SAMPLE, tmp_path / name)
    assert [path.name for path in histories_in(tmp_path)] == ["a.csv.gz", "b.csv.gz"]


def test_the_quick_form_draws_the_picture(tmp_path: Path) -> None:
    done: list[float] = []
    report = run(lambda share, what: done.append(share), tmp_path, True, None)
    assert len(report.rows) == 5 and done[-1] == 1.0
    assert sum(row.get("place") is not None for row in report.rows) == 1
    assert any(DEFAULT in remark for remark in report.remarks[2:])
    assert [path.name for path in report.figures] == [
        "histories-leaderboard.svg",
        "histories-leaderboard.png",
    ]


def test_it_takes_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="holds no history"):
        run_experiment("histories/leaderboard", quick=True, data=tmp_path)
