"""What `plan` prints."""

from __future__ import annotations

from collections.abc import Iterator

from trapline.app.folder.planning.plan import Bottleneck, FetcherAdvice, Plan, PlanPoint
from trapline.app.output.standard_output import print_json
from trapline.app.printing.fact_table import RowTable, print_facts, print_table
from trapline.policies.wording import say_rate, say_span

_COLUMNS = ("budget", "visits/s", "freshness", "news a day", "finds a day", "price")


def print_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        print_json(plan.as_dict())
        return
    if plan.problem:
        print(f"{plan.folder}: {plan.problem}")
        return
    print_facts(plan.folder, _facts(plan))
    print_table(
        RowTable("what a budget buys", _COLUMNS, (_row(plan, p) for p in plan.curve))
    )
    if plan.bottlenecks:
        title = f"hosts that hold it back ({plan.hosts_held_back})"
        columns = ("host", "pages", "gap", "allowed/s", "wanted/s", "price ×")
        rows = map(_host_row, plan.bottlenecks)
        print_table(RowTable(title, columns, rows))


def _facts(plan: Plan) -> Iterator[tuple[str, str]]:
    present = plan.present
    if present is None or plan.more is None or plan.less is None:
        return
    allowed = "no limit" if plan.budget is None else say_rate(plan.budget)
    yield "budget", f"{allowed}; visits made lately: {say_rate(present.budget)}"
    yield "freshness to expect", f"{present.freshness:.1%}"
    yield "news to expect", f"{present.news_a_day:,.3g} a day, in relevance"
    yield "finds to expect", f"{present.finds_a_day:,.3g} in a day, in relevance"
    yield "with 10 % more", _difference(plan.more, present)
    yield "with 10 % less", _difference(plan.less, present)
    if plan.fetchers is not None:
        yield from _fetcher_facts(plan.fetchers)
    yield "hosts that hold it back", f"{plan.hosts_held_back:,}"


def _difference(other: PlanPoint, present: PlanPoint) -> str:
    """What another budget does.

    >>> point = PlanPoint(1.0, 1.0, 0.5, 100.0, 10.0, 0.1)
    >>> _difference(PlanPoint(1.1, 1.1, 0.52, 103.0, 10.0, 0.1), point)
    'freshness +2.00 %, news a day +3, finds a day +0'
    """
    fresh = 100.0 * (other.freshness - present.freshness)
    news = other.news_a_day - present.news_a_day
    finds = other.finds_a_day - present.finds_a_day
    return f"freshness {fresh:+.2f} %, news a day {news:+.3g}, finds a day {finds:+.3g}"


def _fetcher_facts(advice: FetcherAdvice) -> Iterator[tuple[str, str]]:
    yield (
        "worthwhile fetchers",
        f"{advice.worthwhile}; {advice.awake} are awake, at most {advice.most}",
    )
    yield "held back by", advice.say_held_back()


def _row(plan: Plan, point: PlanPoint) -> tuple[str, ...]:
    is_now = plan.present is not None and point.budget == plan.present.budget
    return (
        f"{point.budget:.3g}/s{' (now)' if is_now else ''}",
        f"{point.visits:.3g}",
        f"{point.freshness:.1%}",
        f"{point.news_a_day:,.4g}",
        f"{point.finds_a_day:,.4g}",
        f"{point.price:.3g}",
    )


def _host_row(host: Bottleneck) -> tuple[str, ...]:
    asked = "" if host.crawl_delay_s is None else " (robots.txt)"
    return (
        host.host,
        f"{host.pages_held:,}",
        f"{say_span(host.gap_s)}{asked}",
        f"{host.allowed_per_s:.3g}",
        f"{host.wanted_per_s:.3g}",
        f"{host.price / host.market_price:.3g}",
    )
