"""Plans before a crawl: against formulas that are known, and mistakes told in one line."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import said, trapline
from trapline.app.folder.planning.guesses import read_guesses
from trapline.app.folder.planning.plan import Bottleneck, Plan, PlanPoint, say_lifts
from trapline.app.folder.planning.plan_from_guesses import plan_from_guesses
from trapline.app.output.plan_picture import draw_plan
from trapline.app.printing.plan import print_plan
from trapline.core.errors import UserMistake

DAY_S = 86_400.0


def guess(**given: Any) -> Plan:
    names = {name.replace("_", "-"): value for name, value in given.items()}
    return plan_from_guesses(read_guesses(names))


def present(plan: Plan) -> PlanPoint:
    assert plan.present is not None
    return plan.present


@pytest.mark.parametrize("budget", ["100/d", "1000/d", "10000/d"])
def test_pages_of_one_rate_are_as_fresh_as_the_formula_says(budget: str) -> None:
    plan = guess(pages=1000, hosts=100, budget=budget, change_every="10d", spread=1.0)
    y = 0.1 * 1000.0 / float(budget.partition("/")[0])  # changes between two visits
    expected = -math.expm1(-y) / y
    assert present(plan).freshness == pytest.approx(expected, abs=0.01)


def test_the_time_until_all_are_held_is_what_budget_or_gaps_allow() -> None:
    by_budget = guess(pages=5000, hosts=40, budget="5/s")
    assert present(by_budget).all_held_s == pytest.approx(1000.0)
    assert by_budget.hosts_allow == pytest.approx(20.0)
    by_gaps = guess(pages=5000, hosts=40, budget="unlimited", gap="9s")
    assert present(by_gaps).all_held_s == pytest.approx(5000 / 4.0)
    assert by_gaps.budget is None
    assert by_gaps.fetchers is not None
    assert by_gaps.fetchers.held_back_by == "hosts"
    assert by_gaps.fetchers.worthwhile == 4


def test_more_budget_buys_more_and_the_present_point_is_on_the_curve() -> None:
    plan = guess(pages=100_000, hosts=10, budget="1/s", change_every="1d")
    fresh = [point.freshness for point in plan.curve]
    assert fresh == sorted(fresh)
    assert present(plan) in plan.curve
    assert plan.less is not None and plan.more is not None
    assert plan.less.freshness < present(plan).freshness < plan.more.freshness
    # hosts allow 5 a second: more is of no use
    assert plan.curve[-1].visits == pytest.approx(5.0)


def test_the_budget_for_nine_tenths_buys_them() -> None:
    given = {"pages": 10_000, "hosts": 100, "change_every": "5d"}
    enough = guess(**given).for_ninety
    assert enough is not None
    bought = guess(**given, budget=f"{enough * DAY_S}/d")
    assert present(bought).freshness == pytest.approx(0.9, abs=0.005)
    assert guess(pages=10**6, hosts=1, change_every="1h").for_ninety is None


def test_pages_off_the_topic_are_visited_once() -> None:
    all_of_it = present(guess(pages=10**6, hosts=100, budget="1/s"))
    a_tenth = present(guess(pages=10**6, hosts=100, budget="1/s", on_topic_share=0.1))
    assert a_tenth.freshness > all_of_it.freshness
    assert a_tenth.all_held_s == all_of_it.all_held_s
    assert a_tenth.finds_a_day == pytest.approx(0.1 * DAY_S)


def test_what_was_guessed_by_whom_is_told() -> None:
    plan = guess(pages=5000, gap="2s")
    told = {one.name: one.given for one in plan.guesses}
    assert [name for name, given in told.items() if given] == ["pages", "gap"]
    assert told["change-every"] is False
    assert "50," in next(one.text for one in plan.guesses if one.name == "hosts")


@pytest.mark.parametrize(
    ("given", "said_of"),
    [
        ({"hosts": 3}, "how many pages"),
        ({"pages": 0}, "--pages is 0"),
        ({"pages": 5, "hosts": 9}, "at most --pages"),
        ({"pages": 5, "gap": "soon"}, "--gap is 'soon'"),
        ({"pages": 5, "change_every": "0d"}, "--change-every"),
        ({"pages": 5, "budget": "7"}, "the budget"),
        ({"pages": 5, "spread": math.nan}, "--spread"),
        ({"pages": 5, "on_topic_share": 1.5}, "--on-topic-share"),
    ],
)
def test_wrong_numbers_are_told_in_one_line(
    given: dict[str, Any], said_of: str
) -> None:
    with pytest.raises(UserMistake, match=said_of) as mistake:
        guess(**given)
    assert "\n" not in str(mistake.value)


@pytest.mark.parametrize("columns", ["60", "80"])
def test_nothing_is_cut_on_the_screen(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    plan = guess(pages=123_456_789, hosts=40, budget="0.123/s")
    print_plan(plan, as_json=False)
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= int(columns)
    assert "123,456,789" in shown and "0.123/s (this)" in shown


@pytest.mark.parametrize("bound", ["budget", "hosts", "processor", "fetchers"])
@pytest.mark.parametrize("hosts", [0, 1])
@pytest.mark.parametrize("noticed", [False, True])
def test_both_lines_name_the_same_limit(bound: str, hosts: int, noticed: bool) -> None:
    plan = guess(pages=100_000, hosts=10, budget="1/s", change_every="1d")
    assert plan.fetchers is not None
    plan = replace(
        plan,
        more=plan.more if noticed else plan.present,
        hosts_held_back=hosts,
        fetchers=replace(plan.fetchers, held_back_by=bound),
    )
    verdict, limit = plan.say_verdict(), plan.say_held_back()
    assert ("the budget holds" in verdict) == (limit == "the budget")
    assert ("in the way" in verdict) == limit.startswith("the gaps of hosts")
    assert plan.as_dict()["fetchers"]["held_back_by"] == plan.held_back_by()


def test_the_gap_of_one_host_is_in_the_way() -> None:
    plan = guess(pages=100_000, hosts=10, budget="1/s", change_every="1d")
    plan = replace(plan, more=plan.present, hosts_held_back=1)
    assert "the gap of 1 host is in the way, not the budget" in plan.say_verdict()


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    draw_plan(guess(pages=5000, hosts=40), tmp_path / "plan.svg")
    drawn = (tmp_path / "plan.svg").read_text(encoding="utf-8")
    assert "<svg" in drawn


def test_no_finds_have_an_axis_that_people_read(tmp_path: Path) -> None:
    plan = guess(pages=5000, hosts=40)
    none = [replace(point, finds_a_day=0.0) for point in plan.curve]
    plan = replace(plan, guesses=[], curve=none, present=none[10])
    draw_plan(plan, tmp_path / "plan.svg")
    drawn = (tmp_path / "plan.svg").read_text(encoding="utf-8")
    assert "1e" not in re.findall(r"<!-- (1e)", drawn)


def test_a_folder_or_guesses_but_not_both(tmp_path: Path) -> None:
    done = trapline("plan", "--pages", 5000, "--hosts", 40, "--json")
    assert said(done)["present"]["budget"] == 5.0
    for words in ((), (tmp_path, "--pages", 5)):
        refused = trapline("plan", *words)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "guess" in refused.stderr


def test_what_would_lift_a_bottleneck_is_said() -> None:
    asked = Bottleneck("a", 9, 5.0, 5.0, 0.2, 1.0, 2.0, 1.0)
    own = Bottleneck("b", 9, 5.0, None, 0.2, 1.0, 2.0, 1.0)
    lines = say_lifts([asked, own, own])
    assert lines[0].startswith("on 1 of these robots.txt asks")
    assert lines[1].startswith("on 2 of these the gap is the robot's")
    assert say_lifts([]) == []
