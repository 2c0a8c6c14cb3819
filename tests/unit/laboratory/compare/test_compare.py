"""`trapline lab compare`: policies in one world, told apart; mistakes are told before any work; the
commands.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from trapline.app.commands import main as cli
from trapline.core.errors import BadNumber, TraceUnreadable, UnknownName, UserMistake
from trapline.laboratory.compare import polling, traces
from trapline.laboratory.compare.policy_names import join_names, names_in
from trapline.laboratory.compare.polling import (
    PollingWishes,
    checkpoints_of,
    compare_polling,
    complete_wishes,
    yardsticks_at,
)
from trapline.laboratory.compare.polling_report import PollingRun
from trapline.laboratory.compare.traces import (
    TracesWishes,
    compare_traces,
    replay_contestant,
    replay_setting,
    window_rates,
)
from trapline.laboratory.study.contestants import knows_truth, make_contestant
from trapline.laboratory.study.report import Report, Row
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.traces import DAY_S, Traces, Window
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.registry import policy_names, refresh_class
from trapline.theory import slotted_bound

REFRESH = policy_names("refresh")
SMALL = PollingWishes(
    ("posterior", "uniform", "optimal"),
    pages=40,
    polls=30,
    seeds=4,
    weighted=True,
    workers=0,
)
SAMPLE = TracesWishes(
    ("posterior", "uniform"), days=40.0, per_page_day=0.2, pages=120, seeds=3, workers=0
)


def row_of(report: Report, name: str) -> Row:
    [found] = [row for row in report.rows if row["id"] == name]
    return found


def number(row: Row, column: str) -> float:
    found = row[column]
    assert isinstance(found, int | float)
    return float(found)


# Names


def test_names_are_read_as_people_write_them() -> None:
    assert names_in(" htraa,lakg ,, htraa") == ("htraa", "lakg")
    assert join_names(["one"]) == "one" and join_names(["one", "two"]) == "one and two"
    with pytest.raises(
        UserMistake, match=r"no policy is named; choose some of: .*posterior"
    ):
        names_in(" , ")


# Polling


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, list[float]]:
    done: list[float] = []
    return compare_polling(
        SMALL,
        lambda share, what: done.append(share),
        tmp_path_factory.mktemp("polling"),
    ), done


def test_who_is_told_wins_and_who_turns_in_circles_loses(
    compared: tuple[Report, list[float]],
) -> None:
    report, _ = compared
    assert [row["id"] for row in report.rows] == list(SMALL.policies)
    shares = {name: number(row_of(report, name), "of bound") for name in SMALL.policies}
    assert shares["uniform"] < 0.75 * shares["posterior"] < shares["optimal"] < 1.2
    for row in report.rows:
        assert number(row, "low") < number(row, "of bound") < number(row, "high")
        assert row["seeds"] == 4 and number(row, "polls/s") > 0


def test_it_says_who_is_told_who_does_not_weigh_and_what_the_world_is(
    compared: tuple[Report, list[float]],
) -> None:
    remarks = compared[0].remarks
    assert remarks[0].startswith(
        "40 pages, p = 0.3/k^1.5, shuffled, Pareto(1.2) weights; 30 polls a page"
    )
    assert "optimal is told the change probabilities, as they are at first" in remarks
    assert "uniform does not weigh pages" in remarks


def test_progress_and_figures(compared: tuple[Report, list[float]]) -> None:
    report, done = compared
    assert (
        done[0] == 0.0
        and done[-1] == 1.0
        and done == sorted(done)
        and len(done) == 1 + 3 * 4
    )
    assert [path.name for path in report.figures] == [
        "compare-polling.svg",
        "compare-polling.png",
    ]
    assert all(path.stat().st_size > 10_000 for path in report.figures)


@pytest.mark.parametrize("name", REFRESH)
def test_every_refresh_policy_can_be_compared(name: str) -> None:
    pages = 2 if name == "traa" else 12
    wishes = PollingWishes(
        (name,), pages=pages, polls=20, seeds=2, switch_every=7, workers=0
    )
    report = compare_polling(wishes, lambda share, what: None, None)
    assert 0.0 < number(row_of(report, name), "whole run") < 1.5
    assert report.figures == []


class Sealed:
    """So many numbers that nobody may look at."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __array__(self, *wishes: object, **more: object) -> NoReturn:
        raise AssertionError("it is told the truth")

    def __neg__(self) -> NoReturn:
        raise AssertionError("it is told the truth")


class Secret(PollingWorld):
    @property
    def probabilities(self) -> Any:
        return Sealed(len(self))


@pytest.mark.parametrize("name", REFRESH)
def test_those_are_told_the_truth_that_are_said_to_be(name: str) -> None:
    world = Secret([0.5, 0.25])
    if knows_truth(name):
        with pytest.raises(AssertionError, match="told the truth"):
            make_contestant(name, world)
    else:
        make_contestant(name, world)


def test_a_seed_is_the_same_world_for_all_and_another_seed_another() -> None:
    one, same, other = (SMALL.world(seed) for seed in (1, 1, 2))
    assert np.array_equal(one.probabilities, same.probabilities) and np.array_equal(
        one.weights, same.weights
    )
    assert not np.array_equal(one.weights, other.weights)
    assert one.weights.max() == 1.0 and one.weights.min() > 0.0


def test_the_last_stretch_is_the_last_tenth() -> None:
    for polls, pages in ((20, 4096), (1, 2), (400, 512), (3, 7)):
        ends = checkpoints_of(replace(SMALL, polls=polls, pages=pages))
        assert ends[-1] == polls * pages and (np.diff(ends) > 0).all() and ends[0] >= 1
        assert len(ends) == 1 or ends[-2] == pytest.approx(0.9 * polls * pages, abs=1.0)


def test_shares_are_of_the_bound_between_the_same_checkpoints() -> None:
    ends = np.array([2.0, 3.0])
    rates = np.array([0.1, 0.4])
    run = PollingRun(
        ends, rates, bounds=np.array([0.2, 0.5]), optima=np.ones(2), per_s=1.0
    )
    assert run.shares == pytest.approx([0.5, 0.8])
    assert run.whole_share == pytest.approx((0.1 * 2 + 0.4) / (0.2 * 2 + 0.5))


def test_with_weights_the_bound_moves_as_pages_switch() -> None:
    world = replace(SMALL, switch_every=5).world(3)
    bounds, _ = yardsticks_at(world, np.array([5, 6, 100]))
    world.truth()
    before = slotted_bound(world.probabilities, 1.0, world.weights)
    for when in range(1, 20):
        world.switch(5.0 * when)
        if when == 1:
            assert bounds[1] == pytest.approx(
                slotted_bound(world.probabilities, 1.0, world.weights)
            )
    # the switch after poll 5 is no matter of the first five
    assert bounds[0] == pytest.approx(before)
    assert (
        bounds[2]
        == pytest.approx(slotted_bound(world.probabilities, 1.0, world.weights))
        != before
    )


def test_slow_policies_get_fewer_seeds_and_hopeless_ones_are_refused() -> None:
    assert (
        complete_wishes(PollingWishes(("htraa", "lakg", "posterior"), pages=4096)).seeds
        == 20
    )
    assert complete_wishes(PollingWishes(("argmax",), pages=4096)).seeds in (5, 10)
    with pytest.raises(
        UserMistake,
        match=r"take about \d+ hours, most of them for argmax: leave it out, or take fewer",
    ):
        complete_wishes(PollingWishes(("uniform", "argmax"), pages=100_000))


MISTAKES = {
    "no policy named 'htra'": {"policies": ("htra",)},
    "breadth-first.* is for discovery": {"policies": ("uniform", "breadth-first")},
    "the number of pages is 40, but must be 2": {"policies": ("traa",)},
    "the number of pages is 1": {"pages": 1},
    "the number of pages is 0": {"pages": 0},
    "no order of pages named 'odd'": {"order": "odd"},
    "alpha is 1.5": {"alpha": 1.5},
    "beta is -1": {"beta": -1.0},
    "swaps is -1": {"swaps": -1},
    "switch_every is 0": {"switch_every": 0},
    "the number of polls is 0": {"polls": 0},
    "the number of seeds is 1": {"seeds": 1},
}


@pytest.mark.parametrize("problem", MISTAKES)
def test_mistakes_are_told_before_any_work(
    problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        polling, "run_case", lambda case, seed: pytest.fail("it worked")
    )
    with pytest.raises(UserMistake, match=problem) as raised:
        compare_polling(
            replace(SMALL, **MISTAKES[problem]),  # type: ignore[arg-type]
            lambda share, what: None,
            None,
        )
    assert "\n" not in str(raised.value)


# Traces


def test_on_the_sample_the_oracle_beats_who_is_not_told(tmp_path: Path) -> None:
    done: list[float] = []
    report = compare_traces(SAMPLE, lambda share, what: done.append(share), tmp_path)
    assert [row["id"] for row in report.rows] == ["posterior", "uniform", "known-rate"]
    fresh = {str(row["id"]): number(row, "freshness") for row in report.rows}
    assert 0.3 < max(fresh["uniform"], fresh["posterior"]) < fresh["known-rate"] < 1.0
    assert (
        number(row_of(report, "known-rate"), "× oracle")
        == 1.0
        < number(row_of(report, "uniform"), "× oracle")
    )
    assert all(
        number(row, "visits") == pytest.approx(0.2, rel=0.02) for row in report.rows
    )
    assert done[-1] == 1.0 and len(done) == 1 + 3 * 3
    assert "known-rate is the oracle" in report.remarks[2]
    assert [path.name for path in report.figures] == [
        "compare-traces.svg",
        "compare-traces.png",
    ]


def window_of(
    born: list[float], dies: list[float], events: list[list[float]]
) -> Window:
    count = len(born)
    return Window(
        days=10.0,
        held=count,
        page=np.arange(count),
        path=[""] * count,
        born_s=np.array(born) * DAY_S,
        dies_s=np.array(dies) * DAY_S,
        event_start=np.cumsum([0, *map(len, events)]),
        event_s=np.array([when for one in events for when in one]) * DAY_S,
        importance=np.ones(count),
    )


def test_the_oracle_is_told_changes_and_deaths_by_the_life_in_the_window() -> None:
    window = window_of(
        [-1.0, 5.0, -1.0, -1.0],
        [math.inf, 9.0, 20.0, math.inf],
        [[1, 2, 3], [6], [4], []],
    )
    assert (window_rates(window) * DAY_S)[:3] == pytest.approx([0.3, 0.5, 0.1])
    assert 0.0 < window_rates(window)[3] * DAY_S < 1e-3


def test_policies_run_as_they_would_live_but_nutch_knows_the_budget() -> None:
    window = Traces.sample().between(1_700_000_000.0, 20.0, 30, seed=1)
    nutch = replay_contestant("nutch-adaptive", window, 0.1)
    assert isinstance(nutch, NutchAdaptive)
    assert nutch.mind.interval_s == 10 * DAY_S
    live = refresh_class("posterior")().state()
    found = replay_contestant("posterior", window, 0.1).state()
    assert np.array_equal(found["numbers"], live["numbers"])


def test_what_is_left_open_comes_from_the_history() -> None:
    short = replay_setting(replace(SAMPLE, days=None))
    assert (short.days, short.settle_days) == (29.0, 7.0)
    history = Traces.sample()
    assert short.start_s == history.last_s - 29.0 * DAY_S
    assert replay_setting(replace(SAMPLE, settle_days=0.0)).settle_days == 0.0


TRACE_MISTAKES = {
    "no policy named 'postrior'": {"policies": ("postrior",)},
    "breadth-first.* is for discovery": {"policies": ("breadth-first",)},
    "optimal.* must be told more than a history tells": {"policies": ("optimal",)},
    "the number of days is 100.* at most 60": {"days": 100.0},
    "the number of days is -1": {"days": -1.0},
    "settle_days is 40.* below the window's 40 days": {"settle_days": 40.0},
    "per_page_day is 0": {"per_page_day": 0.0},
    "the number of pages is 0": {"pages": 0},
    "the number of seeds is 1": {"seeds": 1},
    "cannot read the change histories in none.csv": {"data": Path("none.csv")},
}


@pytest.mark.parametrize("problem", TRACE_MISTAKES)
def test_mistakes_about_histories_are_told_before_any_work(
    problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traces, "run_case", lambda case, seed: pytest.fail("it worked"))
    with pytest.raises(
        (BadNumber, UnknownName, TraceUnreadable, UserMistake), match=problem
    ):
        wishes = replace(SAMPLE, **TRACE_MISTAKES[problem])  # type: ignore[arg-type]
        compare_traces(wishes, lambda share, what: None, None)


# The commands


def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """The exit code of a command, run in this process with no others beside it."""
    monkeypatch.setattr(sys, "argv", ["trapline", "lab", "compare", *map(str, words)])
    monkeypatch.setattr("os.cpu_count", lambda: 0)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_the_command_prints_a_table_and_writes_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "polling",
        "--policies",
        "htraa,lakg,posterior",
        "--pages",
        16,
        "--seeds",
        2,
        "--out",
        tmp_path,
    )
    assert command(monkeypatch, *words) == 0
    said = capsys.readouterr().out
    assert (
        all(f"│ {name} " in said for name in ("htraa", "lakg", "posterior"))
        and "16 pages" in said
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"compare-polling.{end}" for end in ("csv", "png", "svg")
    ]
    with (tmp_path / "compare-polling.csv").open(newline="", encoding="utf-8") as file:
        assert [row["id"] for row in csv.DictReader(file)] == [
            "htraa",
            "lakg",
            "posterior",
        ]


def test_the_command_speaks_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "--days",
        20,
        "--pages",
        40,
        "--seeds",
        2,
        "--per-page-day",
        0.3,
        "--out",
        tmp_path,
        "--json",
    )
    assert command(monkeypatch, "traces", "--policies", "uniform", *words) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["id"] == "compare/traces" and [row["id"] for row in said["rows"]] == [
        "uniform",
        "known-rate",
    ]
    assert all(Path(path).exists() for path in said["figures"])


@pytest.mark.parametrize(
    "words", [("polling", "--policies", "nobody"), ("traces", "--data", "none.csv")]
)
def test_a_mistake_is_one_line_and_exit_code_2(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command(monkeypatch, *words, "--out", tmp_path / "out") == 2
    said = capsys.readouterr().err.strip()
    assert (
        said.splitlines()[-1].startswith("trapline: ")
        and not (tmp_path / "out").exists()
    )
