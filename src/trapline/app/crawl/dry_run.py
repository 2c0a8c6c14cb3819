"""`crawl --dry-run`: what would be done. No request is made, and nothing is written."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from trapline.app.engine.from_settings import (
    accesses,
    fetcher_controller,
    live_policies,
    manners_of,
    request_controller,
    topic_of,
)
from trapline.app.engine.restore import load_book, restore_controller
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.app.settings import Settings
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import HELD
from trapline.core.links import links_to
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.core.storage import Store
from trapline.core.urls import host_of, robots_url
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import UNIT, CostKind, say_spend
from trapline.stores.memory import MemoryStore

SHOWN: Final = 10
FARTHEST_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Planned:
    in_s: float
    url: str
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    folder: str
    resumes: bool
    user_agent: str
    topic: str
    budget_per_s: float | None  # in units of `cost`; None = unlimited
    cost: str  # what a visit takes of it: visits, bytes, seconds
    policies: list[str]  # discovery, refresh, fetchers
    gaps_s: dict[str, float]  # of the seeds' hosts, before their robots.txt is read
    scope: dict[str, Any]  # what bounds it
    visits: list[Planned]  # the first ones, if nothing comes in between

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def plan_of(folder: Path, settings: Settings) -> Plan:
    """What a crawl with these settings would do next in this folder."""
    manners = manners_of(settings)
    # What a crawl would refuse is reported now.
    topic_of(settings.topic)
    accesses(settings)
    fetcher_controller(settings)
    resumes = (folder / "store.sqlite").exists()
    visits = _next_visits(folder, settings, resumes)
    seed_hosts = map(host_of, settings.canonical_seeds())
    per_s = settings.budget.of(settings.budget.cost)
    return Plan(
        folder=str(folder),
        resumes=resumes,
        user_agent=manners.user_agent(),
        topic=settings.topic.words,
        budget_per_s=per_s if math.isfinite(per_s) else None,
        cost=str(settings.budget.cost),
        policies=[
            settings.discovery.policy,
            settings.refresh.policy,
            settings.fetchers.policy,
        ],
        gaps_s={host: manners.gap_for(host) for host in seed_hosts},
        scope=settings.scope.model_dump(exclude_defaults=True),
        visits=visits,
    )


def _next_visits(folder: Path, settings: Settings, resumes: bool) -> list[Planned]:
    store: Store = open_for_reading(folder) if resumes else MemoryStore()
    try:
        book = load_book(store)
        controller = request_controller(
            settings, live_policies(settings), book, manners_of(settings), store.robots
        )
        restore_controller(store, controller)
        now_s = max(time.time(), controller.now_s)
        return list(islice(_foresee(controller, book, settings, now_s), SHOWN))
    finally:
        store.close()


def _foresee(
    controller: RequestController, book: HashUrlBook, settings: Settings, now_s: float
) -> Iterator[Planned]:
    """The next visits, each over at once and teaching nothing.

    A robots.txt that is not known is taken to allow all.
    """
    controller.take_back_all(now_s)
    seeds = [book.number(seed) for seed in settings.canonical_seeds()]
    pages = [page for page, _ in seeds]
    controller.admit(links_to(pages, [host for _, host in seeds]), now_s)
    for host in range(controller.hosts()):
        controller.locate(host, str(host), now_s)
    then_s = now_s
    while then_s < now_s + FARTHEST_S:
        tickets = controller.issue(then_s, 1)
        if not tickets and controller.next_time() <= then_s:
            return  # only tickets that nobody answers for are left
        for ticket in tickets:
            yield Planned(then_s - now_s, _url(ticket, book), _why(ticket, controller))
            controller.land(ticket, then_s)
            if ticket.kind is Kind.ROBOTS:
                controller.settle(
                    Observation(ticket, Outcome.OK, robots=Robots("", math.inf)), then_s
                )
        then_s = max(then_s, min(controller.next_time(), now_s + FARTHEST_S))


def _url(ticket: Ticket, book: HashUrlBook) -> str:
    if ticket.kind is Kind.ROBOTS:
        return robots_url(book.home(ticket.host))
    return book.url(ticket.page)


def _why(ticket: Ticket, controller: RequestController) -> str:
    if ticket.kind is Kind.ROBOTS:
        return "before anything else on this host"
    held = controller.agenda.cards["state"][ticket.page] == HELD
    purpose = "to see whether it changed" if held else "never seen"
    if math.isinf(ticket.price):
        return purpose
    return f"{purpose}, price {ticket.price:.4g}"


def print_plan(folder: Path, settings: Settings, *, as_json: bool) -> None:
    plan = plan_of(folder, settings)
    if as_json:
        print_json(plan.as_dict())
        return
    table = Table(
        title="A dry run: nothing is fetched, nothing is written.",
        show_header=False,
        title_justify="left",
    )
    for name, value in _lines(plan):
        table.add_row(name, value)
    Terminal().print(table)


def _lines(plan: Plan) -> Iterator[tuple[str, str]]:
    place = "goes on there" if plan.resumes else "would be made"
    yield "folder", f"{plan.folder} ({place})"
    yield "says who it is", plan.user_agent
    yield "topic", plan.topic or "none: every page is relevant"
    yield "budget", _budget(plan.budget_per_s, CostKind(plan.cost))
    yield "policies", "discovery {}, refresh {}, fetchers {}".format(*plan.policies)
    gaps = (f"{host} {gap_s:g} s" for host, gap_s in plan.gaps_s.items())
    yield "gaps", ", ".join(gaps)
    bounds = (f"{name} {_words(value)}" for name, value in plan.scope.items())
    yield "scope", ", ".join(bounds) or "no bounds"
    for number, planned in enumerate(plan.visits, 1):
        visit = f"after {planned.in_s:.3g} s: {planned.url} ({planned.why})"
        yield f"visit {number}", visit


def _words(value: Any) -> str:
    """
    >>> _words(["a.org", "b.org"]), _words(8)
    ('a.org or b.org', '8')
    """
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _budget(per_s: float | None, cost: CostKind) -> str:
    if per_s is None:
        return "unlimited"
    if cost is CostKind.VISITS:
        return f"{per_s:g} visits a second at most"
    return f"{say_spend(per_s / UNIT[cost], cost)} at most"
