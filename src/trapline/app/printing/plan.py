"""What `plan` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from trapline.app.folder.planning.plan import (
    Bottleneck,
    FetcherAdvice,
    Guess,
    Plan,
    PlanPoint,
    say_lifts,
)
from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.app.printing.fact_table import RowTable, print_facts, print_table
from trapline.policies.wording import say_rate, say_span
from trapline.robot.visit_costs import CostKind, say_cost, say_spend

_LEARNT: Final = (
    "budget",
    "visits/s",
    "freshness",
    "news a day",
    "finds a day",
    "price",
)
_GUESSED: Final = ("budget", "visits/s", "freshness", "first day", "all held in")
_HOSTS: Final = ("host", "pages", "gap", "allowed/s", "wanted/s", "price ×")


def print_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        print_json(plan.as_dict())
        return
    if plan.problem:
        print(f"{plan.folder}: {plan.problem}")
        return
    print_facts(plan.folder or "before a crawl, from guesses", _facts(plan))
    columns = _GUESSED if plan.guesses else _LEARNT
    rows = (_row(plan, point) for point in plan.curve)
    print_table(RowTable("what a budget buys", columns, rows))
    if plan.bottlenecks:
        title = f"hosts that hold it back ({plan.hosts_held_back})"
        print_table(RowTable(title, _HOSTS, map(_host_row, plan.bottlenecks)))
        for lift in say_lifts(plan.bottlenecks):
            Terminal().print(f"• {lift}")
    if plan.guesses:
        print_facts("what it rests on", map(_guess_row, plan.guesses))


def _facts(plan: Plan) -> Iterator[tuple[str, str]]:
    present = plan.present
    if present is None or plan.more is None or plan.less is None:
        return
    kind = CostKind(plan.cost)
    allowed = "no limit" if plan.budget is None else say_spend(plan.budget, kind)
    if plan.guesses:
        yield "budget", allowed
        yield from _guessed_facts(present)
    else:
        yield "budget", f"{allowed}; {_say_lately(present, kind)}"
        yield from _learnt_facts(present)
    yield "with 10 % more", _difference(plan.more, present)
    yield "with 10 % less", _difference(plan.less, present)
    yield "more budget buys", plan.say_verdict()
    enough = "no budget is enough: the hosts' gaps do not allow it"
    if plan.for_ninety is not None:
        enough = f"{say_spend(plan.for_ninety, kind)}, for pages that are held"
    yield "90 % fresh takes", enough
    if plan.hosts_allow is not None:
        yield "the gaps of hosts allow", f"{say_rate(plan.hosts_allow)}, all together"
    if plan.fetchers is not None:
        yield "worthwhile fetchers", _say_fetchers(plan.fetchers)
    yield "visits are limited by", plan.say_held_back()
    if not plan.guesses:
        yield "hosts that hold it back", f"{plan.hosts_held_back:,}"


def _say_lately(present: PlanPoint, kind: CostKind) -> str:
    if kind is CostKind.VISITS:
        return f"visits made lately: {say_rate(present.budget)}"
    spent = say_spend(present.budget, kind)
    return f"spent lately: {spent}, by {say_rate(present.visits)} visits"


def _learnt_facts(present: PlanPoint) -> Iterator[tuple[str, str]]:
    yield "freshness to expect", f"{present.freshness:.1%}"
    yield "news to expect", f"{_say_amount(present.news_a_day)} a day, in relevance"
    finds = _say_amount(present.finds_a_day)
    yield "finds to expect", f"{finds} in a day, in relevance"


def _guessed_facts(present: PlanPoint) -> Iterator[tuple[str, str]]:
    if present.all_held_s is not None:
        held = f"{say_span(present.all_held_s)}, if all visits go to new pages"
        yield "until all pages are held", held
    yield "freshness to expect", f"{present.freshness:.1%}, once all are held"
    yield "finds to expect", f"{present.finds_a_day:,.0f} pages in the first day"


def _difference(other: PlanPoint, present: PlanPoint) -> str:
    """What another budget does.

    >>> point = PlanPoint(1.0, 1.0, 0.5, 100.0, 10.0, 0.1)
    >>> _difference(PlanPoint(1.1, 1.1, 0.52, 103.0, 10.0, 0.1), point)
    'freshness +2.00 %, news a day +3, finds a day +0'
    >>> guessed = PlanPoint(1.0, 1.0, 0.5, 0.0, 10.0, 0.1, all_held_s=1000.0)
    >>> _difference(PlanPoint(2.0, 2.0, 0.52, 0.0, 20.0, 0.1, all_held_s=500.0), guessed)
    'freshness +2.00 %, finds in the first day +10, all held in 8.3 min'
    """
    fresh = f"freshness {100.0 * (other.freshness - present.freshness):+.2f} %"
    news = other.news_a_day - present.news_a_day
    finds = other.finds_a_day - present.finds_a_day
    if other.all_held_s is None:
        return f"{fresh}, news a day {news:+.3g}, finds a day {finds:+.3g}"
    held = f"all held in {say_span(other.all_held_s)}"
    return f"{fresh}, finds in the first day {finds:+,.0f}, {held}"


def _say_amount(amount: float) -> str:
    """
    >>> _say_amount(0.8222), _say_amount(12345.6)
    ('0.822', '12,346')
    """
    return f"{amount:,.0f}" if amount >= 100.0 else f"{amount:.3g}"


def _say_fetchers(advice: FetcherAdvice) -> str:
    awake = f"{advice.awake} are awake, " if advice.awake else ""
    return f"{advice.worthwhile}; {awake}at most {advice.most}"


def _row(plan: Plan, point: PlanPoint) -> tuple[str, ...]:
    is_now = plan.present is not None and point.budget == plan.present.budget
    now = " (this)" if plan.guesses else " (now)"
    cost = CostKind(plan.cost)
    amount = f"{point.budget:.3g}"
    if cost is not CostKind.VISITS:
        amount = say_cost(point.budget, cost)
    budget = f"{amount}/s{now if is_now else ''}"
    common = (budget, f"{point.visits:.3g}", f"{point.freshness:.1%}")
    if point.all_held_s is not None:
        return *common, f"{point.finds_a_day:,.0f}", say_span(point.all_held_s)
    return (
        *common,
        _say_amount(point.news_a_day),
        _say_amount(point.finds_a_day),
        f"{point.price:.3g}",
    )


def _host_row(host: Bottleneck) -> tuple[str, ...]:
    asked = " (robots.txt)" if host.is_asked_for else ""
    return (
        host.host,
        f"{host.pages_held:,}",
        f"{say_span(host.gap_s)}{asked}",
        f"{host.allowed_per_s:.3g}",
        f"{host.wanted_per_s:.3g}",
        f"{host.price / host.market_price:.3g}",
    )


def _guess_row(guess: Guess) -> tuple[str, str]:
    return f"--{guess.name}", f"{guess.text} ({'given' if guess.given else 'a guess'})"
