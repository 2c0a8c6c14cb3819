"""`plan`: what more or less budget would do, from an engine's folder alone.

The controller is brought back from one snapshot (app/folder/schedule/controller_snapshot.py), and
what it has learnt is put on the market at many prices (theory/planning). It is a forecast for a
day, from what is known now: pages that links will still lead to are not counted, nor is what
curiosity costs while rates are learnt.
"""

from __future__ import annotations

import math
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple

import numpy as np

from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.store_link import shown_place
from trapline.app.folder.planning.plan import (
    NINETY,
    Bottleneck,
    Plan,
    PlanPoint,
    budgets_around,
)
from trapline.app.folder.robot_state import robot_note
from trapline.app.folder.schedule.controller_snapshot import (
    ControllerSnapshot,
    controller_snapshot,
)
from trapline.app.folder.schedule.fetcher_advice import advise_fetchers
from trapline.app.folder.schedule.learnt_rates import policy_with_rates
from trapline.app.folder.schedule.visit_pace import visits_a_second
from trapline.core.cards import BLOCKED, FRINGE, HELD
from trapline.core.errors import UserMistake
from trapline.core.storage import Store
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.politeness.rules import rules_of
from trapline.theory.planning.budget_curve import (
    PLANNED_S,
    BudgetCurve,
    FringePages,
    Rooms,
    budget_curve,
)
from trapline.theory.planning.page_gains import Floats, Ints

_SAMPLE: Final = 20_000  # held pages; of more, every so many
_WORST: Final = 20  # hosts named
_DAY_S: Final = 86_400.0


def plan_of(folder: Path, store: Store) -> Plan:
    """`store` is not read here: a plan needs a snapshot of its own."""
    if is_in_shards(folder):
        raise UserMistake(
            f"the shards of {shown_place(folder)} plan each for itself: see their prices and "
            f"rates with `trapline status {quote(shown_place(folder))}`"
        )
    with controller_snapshot(folder) as found:
        return _plan(folder, found)


class _Market(NamedTuple):
    """A budget curve, and what it was made from."""

    curve: BudgetCurve
    relevance: float  # held
    pages: Ints  # held on each host
    rooms: Rooms


def _plan(folder: Path, found: ControllerSnapshot) -> Plan:
    agenda = found.controller.agenda
    allowed = found.settings.budget.per_s
    costs = found.controller.costs
    kind = str(costs.kind)
    held = np.flatnonzero(agenda.cards["state"] == HELD)
    fringe = agenda.count(FRINGE)
    budget = None if math.isinf(allowed) else allowed
    # what is spent by the visits that are made
    pace = visits_a_second(found.store) * costs.usual
    policy = policy_with_rates(found.controller.refresh, found.store)
    problem = _problem(policy, pace, len(held))
    if problem:
        return Plan(shown_place(folder), len(held), fringe, budget, problem, cost=kind)
    market = _market(found, policy, held)
    if market.relevance <= 0.0:
        return Plan(
            shown_place(folder), len(held), fringe, budget, "no held page is relevant"
        )
    present = _point(market, pace)
    worst = _bottlenecks(found, market, present.price)
    around = budgets_around(pace)
    return Plan(
        shown_place(folder),
        len(held),
        fringe,
        budget,
        "",
        cost=kind,
        present=present,
        more=_point(market, around.more),
        less=_point(market, around.less),
        curve=[_point(market, one) for one in around.curve],
        fetchers=advise_fetchers(
            robot_note(found.store),
            found.settings,
            float(market.curve.visits[0]),
            costs.usual,
        ),
        bottlenecks=worst[:_WORST],
        hosts_held_back=len(worst),
        hosts_allow=_room_of_all(market),
        for_ninety=market.curve.budget_for(NINETY * market.relevance),
    )


def _problem(policy: RefreshPolicy, pace: float, held: int) -> str:
    """Why nothing can be said yet; "" = it can."""
    if pace <= 0.0 or not held:
        return "nothing is known yet: hardly any page has been visited"
    if policy.learnt_pages() == 0:
        return "nothing is known yet: no page has been visited twice"
    return ""


def _market(found: ControllerSnapshot, policy: RefreshPolicy, held: Ints) -> _Market:
    agenda = found.controller.agenda
    hosts = found.controller.hosts()
    host = agenda.cards["host"].astype(np.int64)
    in_order = held[np.argsort(host[held], kind="stable")]
    every = -(-len(held) // _SAMPLE)
    some = in_order[::every]
    gains = policy.page_gains(some, host[some])
    stands_for = len(held) / len(some)
    rooms = _rooms(found)
    fringe = _fringe_pages(found)
    cost = agenda.cards["cost"][some].astype(np.float64)
    curve = budget_curve(gains, host[some], fringe, rooms, stands_for, cost)
    return _Market(
        curve,
        stands_for * float(gains.relevance.sum()),
        np.bincount(host[held], minlength=hosts),
        rooms,
    )


def _rooms(found: ControllerSnapshot) -> Rooms:
    """A visit begins when the gap since the last one's end is over, and lasts for a while."""
    books = found.controller.agenda.books
    hosts = books.hosts[: found.controller.hosts()]
    addresses = int(books.till["addresses"][0])
    rate = robot_note(found.store).get("fetchers", {}).get("fetch_rate")
    latency_s = 1.0 / rate if rate else 0.0
    with np.errstate(divide="ignore"):
        by_host = 1.0 / (hosts["gap"] + latency_s)
        by_address = 1.0 / (books.addresses["gap"][:addresses] + latency_s)
    by_host[hosts["state"] == BLOCKED] = 0.0
    # a host whose address is not known yet is alone on one
    unlocated = hosts["address"] < 0
    address = np.where(unlocated, addresses, hosts["address"]).astype(np.int64)
    return Rooms(by_host, address, np.append(by_address, np.inf))


def _room_of_all(market: _Market) -> float | None:
    """Of hosts that pages are held of, as their addresses allow; None = there is no bound."""
    rooms = market.rooms
    by_address = np.bincount(
        rooms.address,
        np.where(market.pages > 0, rooms.host, 0.0),
        minlength=len(rooms.by_address),
    )
    room = float(np.minimum(by_address, rooms.by_address).sum())
    return room if math.isfinite(room) else None


def _fringe_pages(found: ControllerSnapshot) -> FringePages:
    """Those that may be fetched within a day, at what their scores are worth by experience."""
    agenda = found.controller.agenda
    cards = agenda.cards
    soon = cards["not_before"] < found.controller.now_s + PLANNED_S
    offered = (cards["state"] == FRINGE) & (cards["base"] > -np.inf) & soon
    if agenda.count(HELD) >= found.settings.scope.pages:
        offered[:] = False
    pages = np.flatnonzero(offered)
    host = cards["host"][pages].astype(np.int64)
    score = cards["base"][pages] / cards["cost"][pages].astype(np.float64)
    kept = agenda.tally("kept") / agenda.tally("promised")
    # what has no price is visited in turn, whatever it promises: as much as others have kept
    relevance = np.where(np.isinf(score), kept, np.clip(score * kept, 0.0, 1.0))
    price = agenda.tally("worth") * (score + agenda.hosts["bonus"][host])
    cost = cards["cost"][pages].astype(np.float64)
    return FringePages(_finite(price), relevance, host, cost)


def _finite(price: Floats) -> Floats:
    highest = float(price[np.isfinite(price)].max(initial=1.0))
    return np.asarray(np.minimum(price, highest), np.float64)


def _point(market: _Market, budget: float) -> PlanPoint:
    spend = market.curve.at(budget)
    return PlanPoint(
        budget=budget,
        visits=spend.visits,
        freshness=min(spend.fresh / market.relevance, 1.0),
        news_a_day=spend.news * _DAY_S,
        finds_a_day=spend.finds,
        price=spend.price,
    )


def _bottlenecks(
    found: ControllerSnapshot, market: _Market, price: float
) -> list[Bottleneck]:
    """Hosts whose own price lies above the market's; those first where most is lost."""
    own = market.curve.host_price
    rooms = market.rooms
    room = np.minimum(rooms.host, rooms.by_address[rooms.address])
    scarce = np.flatnonzero((own > price) & (room > 0.0) & (market.pages > 0))
    rent = (own[scarce] - price) * room[scarce]
    wanted = market.curve.wanted_at(price)
    return [
        Bottleneck(
            host=found.book.host_name(host),
            pages_held=int(market.pages[host]),
            gap_s=float(found.controller.agenda.hosts["gap"][host]),
            crawl_delay_s=_crawl_delay_s(found.store, host),
            allowed_per_s=float(room[host]),
            wanted_per_s=float(wanted[host]),
            price=float(own[host]),
            market_price=price,
        )
        for host in scarce[np.argsort(-rent)].tolist()
    ]


def _crawl_delay_s(store: Store, host: int) -> float | None:
    robots = store.robots(host)
    if robots is None or robots.text is None:
        return None
    return rules_of(robots).crawl_delay_s
