"""Dashboard, why and plan, also where little is known."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.e2e.browser.sample_figures import sample_dashboard, sample_plan
from trapline.app.folder.planning.plan import Plan
from trapline.app.folder.reasons import NEVER_S, Reasons, Term
from trapline.app.folder.time_line import TimedVisit, TimeLine
from trapline.app.web.pages.dashboard_page import dashboard_page
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.laboratory_page import laboratory_page
from trapline.app.web.pages.paper_tables import agrees
from trapline.app.web.pages.plan_page import plan_page, plan_problem_page
from trapline.app.web.pages.why_page import price_curve, why_page
from trapline.core.ports import LearntRate
from trapline.laboratory.study.registry import EXPERIMENTS

NOW_S = 1_700_000_000.0
ENGINE = Engine("engine", held=5, known=9, fringe=4, at_work=False)
HELD = Reasons(
    url="http://a.org/",
    page=0,
    state="held",
    policy="posterior",
    age_s=100.0,
    price=0.5,
    terms=[Term("freshness", 1.0, 0.01, None, 0.5)],
    market_price=0.8,
    local_price=0.0,
    due_in_s=80.0,
    opens_in_s=0.0,
    host="a.org:80",
    host_state="idle",
    ready_in_s=0.0,
    beliefs={},
    promise={},
    rates=[LearntRate("changes", 1 / 3600, 0.5 / 3600, 2 / 3600)],
)
FRINGE = replace(
    HELD, state="on the fringe", age_s=None, terms=[], due_in_s=None, rates=[]
)
NO_VISITS = TimeLine(0, "http://a.org/", [], earlier=False)


def visit(ago_s: float, *, changed: bool, outcome: str = "ok") -> TimedVisit:
    return TimedVisit(
        NOW_S - ago_s, outcome, outcome, 200, changed, False, 0.1, 0.2, ""
    )


def test_a_dashboard_that_knows_nothing() -> None:
    figures = replace(
        sample_dashboard("never ran"),
        recall=None,
        freshness=None,
        market_price=None,
        fetchers=None,
        shares=None,
        budget=None,
        silent_s=None,
        hosts=[],
        changes=[],
        errors=[],
    )
    text = dashboard_page(ENGINE, figures)
    assert 'id="charts" hidden' in text
    assert "No robot has run here yet" in text and "too little is known" in text


@pytest.mark.parametrize(
    ("robot", "said"),
    [
        ("ended", "The robot is not running"),
        ("died", "died, or was killed"),
        ("silent", "The robot is silent"),
    ],
)
def test_a_robot_that_is_not_at_work(robot: str, said: str) -> None:
    text = dashboard_page(ENGINE, sample_dashboard(robot))
    assert said in text and "It last wrote 1 hour ago" in text


def test_a_robot_at_work_needs_no_notice() -> None:
    text = dashboard_page(ENGINE, sample_dashboard())
    assert '<div id="state"></div>' in text
    assert 'id="charts">' in text
    assert "/why?url=http%3A%2F%2Fa.org%2F1" in text
    assert "The switching curve" in text
    assert "81 %" in text and "between 74 % and 88 %" in text


def test_why_of_a_held_page() -> None:
    line = replace(
        NO_VISITS, visits=[visit(90.0, changed=True), visit(5.0, changed=False)]
    )
    text = why_page(ENGINE, HELD, line, NOW_S)
    for said in (
        "in 80 s",
        "1 an hour",
        "0.5 to 2 an hour",
        'class="band"',
        "2 visits, 1 of them",
        "freshness",
    ):
        assert said in text


def test_of_many_visits_ten_are_shown_at_once() -> None:
    visits = [visit(float(ago), changed=False) for ago in range(30, 0, -1)]
    text = why_page(ENGINE, HELD, replace(NO_VISITS, visits=visits), NOW_S)
    shown, _, hidden = text.partition("20 visits before</summary>")
    assert hidden and shown.count(">unchanged<") + shown.count(">ok<") == 10
    assert "The last 10 visits paid 0.1 on average" in text


def test_why_of_a_page_that_nobody_visited() -> None:
    text = why_page(ENGINE, FRINGE, NO_VISITS, NOW_S)
    assert "on the fringe" in text and "never" in text and "when it is best" in text


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        (replace(HELD, due_in_s=NEVER_S), "never at this price"),
        (replace(HELD, due_in_s=-5.0), ">now<"),
        (replace(HELD, opens_in_s=30.0), "not before 30 s"),
        (replace(HELD, price=None, terms=[], due_in_s=None), "in turn"),
        (replace(HELD, local_price=2.0), "lately paid on its host"),
    ],
)
def test_when_a_page_is_due(reasons: Reasons, said: str) -> None:
    assert said in why_page(ENGINE, reasons, NO_VISITS, NOW_S)


def test_the_curve_goes_through_the_price_now() -> None:
    curve = price_curve(replace(HELD, due_in_s=-40.0))
    now = min(
        range(len(curve["ages_s"])), key=lambda at: abs(curve["ages_s"][at] - 100.0)
    )
    assert curve["ages_s"][now] == pytest.approx(100.0)
    assert curve["prices"][now] == pytest.approx(0.5)
    assert curve["prices"] == sorted(curve["prices"])
    assert price_curve(FRINGE)["ages_s"] == []


def test_the_plan_says_what_more_buys() -> None:
    text = plan_page(ENGINE, sample_plan())
    assert "+1.44 points" in text and "slow.example.org" in text
    assert "The budget holds the robot back" in text


@pytest.mark.parametrize(
    ("hosts", "said"),
    [(6, "the gaps of 6 hosts are in the way"), (0, "as often as it pays")],
)
def test_a_plan_does_not_ask_for_budget_that_buys_nothing(
    hosts: int, said: str
) -> None:
    plan = sample_plan()
    plan = replace(plan, more=plan.present, hosts_held_back=hosts)
    text = plan_page(ENGINE, plan)
    assert said in text and text.count("hardly any<") == 3
    assert "The budget holds the robot back" not in text


def test_a_plan_does_not_call_its_price_the_market_price() -> None:
    assert "market" not in plan_page(ENGINE, sample_plan()).lower()


def test_no_plan_without_a_robot() -> None:
    text = plan_problem_page(ENGINE)
    assert "No robot has run here" in text and "trapline crawl" in text


def test_no_plan_yet() -> None:
    text = plan_page(ENGINE, Plan("engine", 0, 0, None, "nothing is known yet"))
    assert "There is no plan yet" in text and "Nothing is known yet." in text


def test_the_laboratory_names_every_experiment() -> None:
    text = laboratory_page(ENGINE)
    assert all(name in text for name in EXPERIMENTS)
    assert "trapline lab run talim/table-1" in text
    assert text.count("✓") > 200


def test_one_case_alone_is_no_line_of_sixty_columns() -> None:
    text = laboratory_page(ENGINE)
    rows = re.findall("<tr>.*?</tr>", text)
    assert max(row.count("</td>") for row in rows) < 15


def test_the_words_of_papers_are_judged() -> None:
    text = laboratory_page(ENGINE)
    assert "The paper says" in text and "holds" in text
    assert "Inaction-Penalty is the most accurate of the three" in text


def test_agreeing_to_the_last_digit() -> None:
    assert agrees(0.4, 0.4000001)
    assert not agrees(0.05514, 0.055133)
    assert not agrees(None, None)
