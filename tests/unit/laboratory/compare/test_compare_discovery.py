"""compare/discovery: who takes part, what is refused before any work, and numbers that add up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName, UserMistake, WorldUnreadable
from trapline.laboratory.compare.discovery import (
    DiscoveryWishes,
    compare_discovery,
    discovery_contestant,
    draws_chance,
    marks_in,
    marks_of,
)
from trapline.laboratory.compare.discovery_report import (
    DiscoveryRun,
    WebBounds,
    make_report,
)
from trapline.laboratory.study.report import Report
from trapline.laboratory.worlds.families import family
from trapline.laboratory.worlds.world_files import World, save_world

SMALL = DiscoveryWishes(
    ("breadth-first", "fringe-greedy"), pages=400, seeds=2, workers=0
)


def run(wishes: DiscoveryWishes, out: Path | None = None) -> Report:
    return compare_discovery(wishes, lambda share, what: None, out)


def test_an_oracle_beats_first_come_first_served(tmp_path: Path) -> None:
    report = run(SMALL, tmp_path)
    blind, oracle = report.rows
    assert [blind["id"], oracle["id"]] == ["breadth-first", "fringe-greedy"]
    assert report.columns == (
        "id",
        "R@4",
        "R@20",
        "R@80",
        "P@4",
        "P@20",
        "P@80",
        "low",
        "high",
        "fetches/s",
        "seeds",
    )
    for mark in (4, 20, 80):
        assert float(oracle[f"P@{mark}"] or 0.0) > float(blind[f"P@{mark}"] or 0.0)
    assert (
        float(oracle["low"] or 0.0)
        <= float(oracle["P@80"] or 0.0)
        <= float(oracle["high"] or 0.0)
    )
    assert sorted(path.suffix for path in report.figures) == [".png", ".svg"]


def test_with_a_gap_both_yardsticks_are_given() -> None:
    report = run(replace(SMALL, every=10, marks=(50,)))
    for row in report.rows:
        assert (
            0.0
            < float(row["P@50"] or 0.0)
            <= float(row["polite P@50"] or 0.0)
            <= 1.0 + 1e-9
        )
    assert any("at most every 10 steps" in remark for remark in report.remarks)


def test_one_web_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "web.npz"
    save_world(path, family("topical", 300, seed=1))
    report = run(
        replace(SMALL, policies=("breadth-first", "random"), world=path, seeds=3)
    )
    assert [(row["id"], row["seeds"]) for row in report.rows] == [
        ("breadth-first", 1),
        ("random", 3),
    ]
    assert [row["low"] is None for row in report.rows] == [True, False]
    assert report.remarks[0].startswith("web.npz, 300 pages")


def test_who_draws() -> None:
    assert draws_chance("random")
    assert not draws_chance("breadth-first")
    assert (
        discovery_contestant("fringe-greedy", np.array([0.25]), seed=1).rescore(0)
        == 0.0
    )


WRONG: dict[str, tuple[type[Exception], dict[str, Any]]] = {
    "a refresh policy": (UserMistake, {"policies": ("uniform",)}),
    "a policy that nobody knows": (UnknownName, {"policies": ("depth-first",)}),
    "a family that nobody knows": (UnknownName, {"family": "desert"}),
    "one seed": (BadNumber, {"seeds": 1}),
    "no pages": (BadNumber, {"pages": 0}),
    "a mark beyond the web": (BadNumber, {"marks": (10, 401)}),
    "a mark of 0": (BadNumber, {"marks": (0,)}),
    "a gap of 0": (BadNumber, {"every": 0}),
    "a file that is not there": (WorldUnreadable, {"world": Path("nowhere.npz")}),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_before_any_work(case: str) -> None:
    error, wrong = WRONG[case]
    said: list[str] = []
    with pytest.raises(error):
        compare_discovery(
            replace(SMALL, **wrong), lambda share, what: said.append(what), None
        )
    assert said == []


def test_a_web_with_nothing_to_find(tmp_path: Path) -> None:
    web = family("topical", 50, seed=1)
    web.truth.pages["relevance"] = 0.0
    save_world(tmp_path / "desert.npz", World(web.topic, web.seeds, web.truth))
    with pytest.raises(UserMistake, match="nothing to find"):
        run(replace(SMALL, world=tmp_path / "desert.npz"))


def test_marks() -> None:
    assert marks_of(replace(SMALL, pages=50_000)) == (1_000, 5_000, 20_000)
    assert marks_of(replace(SMALL, pages=20)) == (1, 4)
    assert marks_of(replace(SMALL, marks=(30, 7, 30))) == (7, 30)
    assert marks_in("") == ()
    for text in ("ten", "1e3", "-5", "1.5"):
        with pytest.raises(BadNumber):
            marks_in(text)


def test_shares_by_hand() -> None:
    """Recall 1/4, 1/4, 1 in three steps, against 3/4, 1, 1 of the yardstick and 1/2, 3/4, 1 of the
    polite bound.
    """
    bounds = WebBounds(1, 4.0, np.array([3.0, 1.0, 0.0]), np.array([2.0, 1.0, 1.0]))
    one = DiscoveryRun(1, np.array([1.0, 0.0, 3.0]), per_s=9.0)
    report = make_report("a web", (2, 3), True, {1: bounds}, {"x": [one]}, None)
    (row,) = report.rows
    assert (row["R@2"], row["R@3"]) == (0.25, 1.0)
    assert row["P@2"] == pytest.approx(0.5 / 1.75)
    assert row["P@3"] == pytest.approx(1.5 / 2.75)
    assert row["polite P@3"] == pytest.approx(1.5 / 2.25)
