"""The dashboard: how the collection and its robot are doing now."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any
from urllib.parse import quote

from trapline.app.folder.dashboard_figures import (
    Dashboard,
    ErrorLine,
    Estimate,
    FetcherState,
    HostLine,
    SwitchingCurve,
    VisitShares,
)
from trapline.app.shards.shard_figures import CrawlFigures, sums_of
from trapline.app.shards.shard_wording import SHARD_COLUMNS, shard_cells
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import (
    band,
    chart,
    section,
    shares_bar,
    table,
    tile,
    tiles,
)
from trapline.app.web.pages.frame import Look, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, data_block, element, join
from trapline.app.web.pages.robot_states import ROBOT_STATES
from trapline.app.web.pages.wording import say_age, say_number, say_share, time_element
from trapline.policies.wording import say_count

_SHOWN = 10  # changes, errors
_PARTS = ("discovery", "refresh", "news")


def dashboard_page(engine: Engine, figures: Dashboard) -> Html:
    look = Look("Dashboard", path="/dashboard", module="dashboard", charts=True)
    return frame(
        look,
        element("h1", "Dashboard"),
        element(
            "p",
            element("span", class_="light", id="line-light"),
            element("span", "as of the moment this page was opened", id="line"),
            class_="line soft",
            role="status",
        ),
        element("div", _state(figures), id="state"),
        element("div", _numbers(figures), id="numbers"),
        _charts(figures.robot == "never ran"),
        element("div", _tables(figures), id="tables", class_="columns"),
        element("div", data_block("data", chart_data(figures)), id="data-place"),
        _GONE,
        engine=engine.light(),
    )


def chart_data(figures: Dashboard) -> dict[str, Any]:
    """What the charts are drawn from."""
    found = figures.as_dict()
    names = ("time_s", "robot", "visits_per_s", "budget", "market_price", "fetchers")
    return {name: found[name] for name in names}


def _state(figures: Dashboard) -> Html:
    """What holds the robot back, or what is wrong with it."""
    state = ROBOT_STATES.get(figures.robot)
    if state is None:
        if not figures.held_back:
            return NOTHING
        return element("p", f"Held back by: {figures.held_back}.", class_="soft")
    since = ""
    if figures.silent_s is not None:
        since = f" It last wrote {say_age(figures.silent_s)}."
    said = element("p", state.told + since, " ", state.advice)
    return notice(state.title, said, kind=state.kind)


def _numbers(figures: Dashboard) -> Html:
    allowed = figures.budget
    budget = f"of {say_number(allowed)} allowed" if allowed else "no budget is set"
    return tiles(
        _estimate("Recall, estimated", figures.recall),
        _estimate("Freshness, estimated", figures.freshness),
        tile("Visits a second", say_number(figures.visits_per_s), budget),
        tile(
            "Market price",
            say_number(figures.market_price),
            "paid for a visit, on average, lately",
        ),
        tile(
            "Pages held",
            f"{figures.pages_held:,}",
            f"{figures.pages_known:,} known on {say_count(figures.hosts_known, 'host')}",
        ),
        tile(
            "On the fringe", f"{figures.pages_fringe:,}", "found, and never fetched yet"
        ),
        _shares(figures.shares),
    )


def _estimate(name: str, found: Estimate | None) -> Html:
    if found is None:
        return tile(name, "–", "too little is known to estimate it")
    between = f"between {say_share(found.low)} and {say_share(found.high)}"
    picture = band(found.low, found.value, found.high)
    remark = element("span", between, title=found.meaning)
    return tile(name, say_share(found.value), remark, picture)


def _shares(shares: VisitShares | None) -> Html:
    name = "What visits are for"
    if shares is None:
        return tile(name, "–", "no visits yet")
    values = [getattr(shares, part) for part in _PARTS]
    legend = [
        element(
            "span",
            element("span", class_=f"dot part-{place}"),
            f"{part} {say_share(value)}",
            class_="legend",
        )
        for place, (part, value) in enumerate(zip(_PARTS, values, strict=True), 1)
    ]
    over = f"over the last {say_count(shares.visits, 'visit')}"
    return tile(name, join(legend), over, shares_bar(values))


def _charts(hidden: bool) -> Html:
    """Of a robot that never ran they would show empty axes."""
    return element(
        "div",
        chart(
            "chart-rate",
            "Visits a second, since this page was opened",
            "Visits a second as they are made, beside the budget.",
        ),
        chart(
            "chart-queue",
            "Fetchers against the queue",
            "The switching curve: for each number of fetchers awake, up to which queue "
            "one more is woken; and the present state on it.",
        ),
        class_="charts",
        id="charts",
        hidden=hidden,
    )


def _tables(figures: Dashboard) -> Html:
    return join(
        _shards(figures) if figures.shards else NOTHING,
        section("Fetchers", _fetchers(figures.fetchers)),
        section("Hosts and their pace", _hosts(figures.hosts)),
        section("Latest changes", _changes(figures.changes, figures.time_s)),
        section("Latest errors", _errors(figures.errors, figures.time_s)),
    )


def _shards(figures: Dashboard) -> Html:
    sums = sums_of(CrawlFigures(figures.shards, figures.workers))
    said = "; ".join(f"{name} {value}" for name, value in sums.items())
    head = tuple(name.capitalize() for name in SHARD_COLUMNS)
    rows = list(map(shard_cells, figures.shards))
    return element(
        "section",
        element("h2", "Shards"),
        element("p", f"{said}.", class_="soft"),
        table("Shards", head, rows, words=(0, 1)),
        class_="broad",
    )


def _fetchers(state: FetcherState | None) -> Html:
    if state is None:
        return element("p", "No robot has told of its fetchers yet.", class_="soft")
    rows = [
        ("At work", f"{state.active} of {state.awake} awake, at most {state.most}"),
        ("Answers in the queue", f"{state.queue} of {state.queue_room}"),
        ("One fetcher brings (λ)", f"{say_number(state.fetch_rate)} a second"),
        ("The processor reads (μ)", f"{say_number(state.process_rate)} a second"),
        ("Processor without work", say_share(state.starvation)),
        ("Answers that had to wait", f"{state.blocked:,}"),
    ]
    return join(
        table("Fetchers", ("What", "Now"), rows, words=(0, 1)),
        _curve(state.curve) if state.curve else NOTHING,
    )


def _curve(curve: SwitchingCurve) -> Html:
    """The numbers of the second chart, for whoever cannot see it."""
    wake = [*curve.departure, None]
    send = [None, *curve.arrival]
    rows = [
        (str(awake), say_number(one), say_number(other))
        for awake, (one, other) in enumerate(zip_longest(wake, send))
    ]
    head = ("Awake", "Wake one more", "Send it out again")
    return element(
        "details",
        element("summary", "Up to which queue"),
        table("The switching curve", head, rows),
        class_="numbers",
    )


def _hosts(hosts: list[HostLine]) -> Html:
    rows = [
        (
            element("bdi", host.host),
            f"{host.pages_held:,} of {host.pages_known:,}",
            f"{host.visits:,}",
            f"{say_number(host.visits_per_s)}/s",
            f"{say_number(host.gap_s)} s",
            host.state,
        )
        for host in hosts
    ]
    head = ("Host", "Held", "Visits", "Pace", "Gap", "State")
    return table("Hosts and their pace", head, rows, words=(0, 5))


def _changes(changes: list[dict[str, Any]], now_s: float) -> Html:
    rows = [
        (
            _page_link(change["url"], change["title"]),
            change["turn"],
            time_element(change["at_s"], now_s),
        )
        for change in changes[:_SHOWN]
    ]
    return table("Latest changes", ("Page", "Turn", "When"), rows, words=(0, 1, 2))


def _errors(errors: list[ErrorLine], now_s: float) -> Html:
    rows = [
        (
            _page_link(error.url, error.url),
            error.reason,
            time_element(error.ended_s, now_s),
        )
        for error in errors[:_SHOWN]
    ]
    head = ("Page", "Reason", "When")
    return table(
        "Latest errors", head, rows, words=(0, 1, 2), empty="None. All is well."
    )


def _page_link(url: str, title: str) -> Html:
    """Here one wants to know why a page was visited; that page leads on to it."""
    if "://" not in url:
        return element("span", url)
    why = f"/why?url={quote(url, safe='')}"
    return element("a", title or url, href=why, dir="auto")


_GONE = element(
    "template",
    notice(
        "The server does not answer",
        element("p", "The figures below are the last ones. This page keeps trying."),
        kind="bad",
        alert=True,
    ),
    id="gone",
)
