"""The plan: what more or less budget would do, and what holds the robot back."""

from __future__ import annotations

from typing import Any

from trapline.app.folder.planning.plan import (
    Bottleneck,
    FetcherAdvice,
    Plan,
    is_noticed,
    say_lifts,
)
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import chart, scroller, section, table, tile, tiles
from trapline.app.web.pages.frame import Look, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, data_block, element, join
from trapline.app.web.pages.wording import say_number, say_share
from trapline.policies.wording import say_count

_LEAD = (
    "What a budget of visits buys, from what was learnt of the pages held: how fresh they stay, "
    "and how much new is found in a day."
)
_SCARCE = {
    "fetchers": "There are too few fetchers: raise fetchers.most in the settings.",
    "processor": "The processor holds the robot back: it reads as fast as it can.",
}
_ENOUGH = "More fetchers than this would find nothing to do: budget and hosts allow no more visits."


def plan_page(engine: Engine, plan: Plan) -> Html:
    look = Look("Plan", path="/plan", module="plan", charts=bool(plan.curve))
    return frame(
        look,
        element("h1", "Plan"),
        element("p", _LEAD, class_="note"),
        _no_curve(plan) if plan.problem else _curve(plan),
        _fetchers(plan.fetchers),
        _bottlenecks(plan),
        data_block("data", chart_data(plan)),
        engine=engine.light(),
    )


def chart_data(plan: Plan) -> dict[str, Any]:
    found = plan.as_dict()
    data = {name: found[name] for name in ("curve", "present", "more", "budget")}
    return {**data, "unit": plan.unit}


def _no_curve(plan: Plan) -> Html:
    return notice(
        "There is no plan yet",
        element("p", f"{plan.problem[:1].upper()}{plan.problem[1:]}."),
        element("p", "Let the robot run for a while, and come back."),
    )


def _curve(plan: Plan) -> Html:
    return join(
        _more_buys(plan),
        element(
            "div",
            chart(
                "chart-freshness",
                "Freshness against budget",
                "Share of the held relevance that is as the Web has it.",
            ),
            chart(
                "chart-news",
                "News and finds a day against budget",
                "Relevance of what is found anew in a day.",
            ),
            class_="charts",
        ),
        element(
            "details",
            element("summary", "The numbers"),
            _points(plan),
            class_="numbers",
        ),
    )


def _more_buys(plan: Plan) -> Html:
    now = plan.present
    then = plan.more
    if now is None or then is None:
        return NOTHING
    visits = (
        f"{say_number(now.budget)} → {say_number(then.budget)} {plan.unit} a second"
    )
    verdict = plan.say_verdict()
    points = f"{(then.freshness - now.freshness) * 100:+.3g} points"
    return section(
        "What 10 % more budget buys",
        element("p", f"{verdict[:1].upper()}{verdict[1:]}."),
        tiles(
            tile("Budget", "+10 %", visits),
            tile(
                "Freshness",
                points if is_noticed(now.freshness, then.freshness) else _NO_GAIN,
                f"{now.freshness * 100:.1f} → {then.freshness * 100:.1f} %",
            ),
            _gain("News a day", now.news_a_day, then.news_a_day),
            _gain("Finds a day", now.finds_a_day, then.finds_a_day),
        ),
    )


def _gain(name: str, now: float, then: float) -> Html:
    return tile(
        name,
        f"{then - now:+.3g}" if is_noticed(now, then) else _NO_GAIN,
        f"{say_number(now)} → {say_number(then)} relevance",
    )


_NO_GAIN = "hardly any"


def _points(plan: Plan) -> Html:
    marked = {
        "10 % less": plan.less,
        "now": plan.present,
        "10 % more": plan.more,
    }
    named = [(name, point) for name, point in marked.items() if point is not None]
    curve = [("", point) for point in plan.curve]
    rows = [
        (
            say_number(point.budget),
            say_share(point.freshness),
            say_number(point.news_a_day),
            say_number(point.finds_a_day),
            say_number(point.price),
            name,
        )
        for name, point in sorted(named + curve, key=lambda one: one[1].budget)
    ]
    head = (
        f"{plan.unit[:1].upper()}{plan.unit[1:]} a second",
        "Freshness",
        "News a day",
        "Finds a day",
        "Last visit",
        "Which",
    )
    meaning = (
        "Last visit: what the least of the visits is worth that the budget pays for."
    )
    return join(
        scroller(
            "What budgets buy",
            table("What budgets buy", head, rows, words=(5,), stacks=False),
        ),
        element("p", meaning, class_="note"),
    )


def _fetchers(advice: FetcherAdvice | None) -> Html:
    if advice is None:
        return NOTHING
    enough = "any number" if advice.for_budget is None else f"{advice.for_budget:,}"
    return section(
        "How many fetchers are worthwhile",
        element("p", _SCARCE.get(advice.held_back_by, _ENOUGH)),
        tiles(
            tile(
                "Worthwhile",
                f"{advice.worthwhile:,}",
                f"{advice.awake} awake now, at most {advice.most} by the settings",
            ),
            tile(
                "For budget and hosts",
                enough,
                f"one brings {say_number(advice.fetch_rate)} answers a second",
            ),
            tile(
                "For the processor",
                f"{advice.for_processor:,}",
                f"it reads {say_number(advice.process_rate)} answers a second",
            ),
        ),
    )


def _bottlenecks(plan: Plan) -> Html:
    title = "Hosts that hold back"
    if not plan.bottlenecks and not plan.hosts_held_back:
        fine = "None: no host is asked for more visits than its pace allows."
        return section(title, element("p", fine))
    rows = [_bottleneck(host) for host in plan.bottlenecks]
    head = ("Host", "Pages held", "Gap", "Allowed", "Wanted", "One more is worth")
    return section(
        title,
        element("p", _say_held_back(plan), class_="note"),
        table(title, head, rows),
        *(
            element("p", f"{lift[:1].upper()}{lift[1:]}.", class_="note")
            for lift in say_lifts(plan.bottlenecks)
        ),
    )


def _say_held_back(plan: Plan) -> str:
    """The price here is of one visit more; the dashboard's is the mean of those that are paid."""
    counted = say_count(plan.hosts_held_back, "host")
    said = (
        f"{counted} would be visited more often if their pace allowed it; worst first."
    )
    if not plan.bottlenecks:
        return said
    elsewhere = say_number(plan.bottlenecks[0].market_price)
    return f"{said} On other hosts one visit more is worth {elsewhere}."


def _bottleneck(host: Bottleneck) -> tuple[Html, ...]:
    asks = host.crawl_delay_s
    asked = f", asks for {say_number(asks)} s" if asks else ""
    texts = (
        f"{host.pages_held:,}",
        f"{say_number(host.gap_s)} s{asked}",
        f"{say_number(host.allowed_per_s)}/s",
        f"{say_number(host.wanted_per_s)}/s",
        say_number(host.price),
    )
    return element("bdi", host.host), *(element("span", text) for text in texts)


def plan_problem_page(engine: Engine) -> Html:
    """Of a folder that no robot has filled there is nothing to plan from."""
    command = f"trapline crawl https://www.example.org/ --dir {engine.name}"
    return frame(
        Look("Plan", path="/plan"),
        element("h1", "Plan"),
        element("p", _LEAD, class_="note"),
        notice(
            "No robot has run here",
            element("p", "This collection came without one, so nothing was learnt."),
            element("p", "Let a robot come back to its pages for a while:"),
            element("pre", element("code", command)),
            element("p", element("a", "See what is held", href="/dashboard")),
        ),
        engine=engine.light(),
    )
