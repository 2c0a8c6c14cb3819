"""The plan: what more or less budget would do, and what holds the robot back."""

from __future__ import annotations

from typing import Any

from trapline.app.folder.plan import Bottleneck, FetcherAdvice, Plan, PlanPoint
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import chart, table, tile, tiles
from trapline.app.web.pages.frame import Look, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, data_block, element, join
from trapline.app.web.pages.wording import say_count, say_number, say_share

_LEAD = (
    "What a budget of visits buys, from what was learnt of the pages held: how fresh they stay, "
    "and how much new is found in a day."
)


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
    return {name: found[name] for name in ("curve", "present", "more", "budget")}


def _no_curve(plan: Plan) -> Html:
    return notice(
        "There is no plan yet",
        element("p", f"{plan.problem[:1].upper()}{plan.problem[1:]}."),
        element("p", "Let the robot run for a while, and come back."),
    )


def _curve(plan: Plan) -> Html:
    return join(
        _more_buys(plan.present, plan.more),
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


def _more_buys(present: PlanPoint | None, more: PlanPoint | None) -> Html:
    if present is None or more is None:
        return NOTHING
    visits = f"{say_number(present.budget)} → {say_number(more.budget)} visits a second"
    return element(
        "section",
        element("h2", "What 10 % more budget buys"),
        tiles(
            tile("Budget", "+10 %", visits),
            tile(
                "Freshness",
                _say_gain(
                    f"{(more.freshness - present.freshness) * 100:+.2f}", " points"
                ),
                f"{present.freshness:.1%} → {more.freshness:.1%}",
            ),
            _gain("News a day", present.news_a_day, more.news_a_day),
            _gain("Finds a day", present.finds_a_day, more.finds_a_day),
        ),
    )


def _gain(name: str, now: float, then: float) -> Html:
    return tile(
        name,
        _say_gain(f"{then - now:+.3g}"),
        f"{say_number(now)} → {say_number(then)} relevance",
    )


def _say_gain(number: str, unit: str = "") -> str:
    """
    >>> _say_gain("+1.44", " points"), _say_gain("-0.00")
    ('+1.44 points', 'nothing')
    """
    return f"{number}{unit}" if float(number) else "nothing"


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
    head = ("Visits a second", "Freshness", "News a day", "Finds a day", "Price", "")
    return table("What budgets buy", head, rows, words=(5,))


def _fetchers(advice: FetcherAdvice | None) -> Html:
    if advice is None:
        return NOTHING
    enough = "any number" if advice.for_budget is None else f"{advice.for_budget:,}"
    return element(
        "section",
        element("h2", "How many fetchers are worthwhile"),
        element("p", f"The robot is held back by {advice.say_held_back()}."),
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
    if not plan.bottlenecks and not plan.hosts_held_back:
        fine = "None: no host is asked for more visits than its pace allows."
        return element(
            "section", element("h2", "Hosts that hold back"), element("p", fine)
        )
    rows = [_bottleneck(host) for host in plan.bottlenecks]
    head = ("Host", "Pages held", "Gap", "Allowed", "Wanted", "Price there")
    counted = say_count(plan.hosts_held_back, "host")
    note = (
        f"{counted} would be visited more often if their pace allowed it; worst first."
    )
    return element(
        "section",
        element("h2", "Hosts that hold back"),
        element("p", note, class_="note"),
        table("Hosts that hold back", head, rows),
    )


def _bottleneck(host: Bottleneck) -> tuple[Html, ...]:
    asks = host.crawl_delay_s
    asked = f", asks for {say_number(asks)} s" if asks else ""
    times = f" (market {say_number(host.market_price)})"
    texts = (
        f"{host.pages_held:,}",
        f"{say_number(host.gap_s)} s{asked}",
        f"{say_number(host.allowed_per_s)}/s",
        f"{say_number(host.wanted_per_s)}/s",
        say_number(host.price) + times,
    )
    return element("bdi", host.host), *(element("span", text) for text in texts)
