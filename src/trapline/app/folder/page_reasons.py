"""`why`: what a page's price is made of, from an engine's folder alone.

The controller is brought back (schedule/controller_snapshot.py) and asked; nothing is written, so
this works while a robot is at work, half a second behind it.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from trapline.app.demand.demand_file import day_now
from trapline.app.demand.wanted_pages import wanted_lately
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.host_troubles import HostTroubles
from trapline.app.folder.orders.order_file import orders_in_force
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.crawl_store import CrawlStore, open_crawl
from trapline.app.folder.places.store_link import shown_place
from trapline.app.folder.reach_figures import obstacle_noted, say_obstacle
from trapline.app.folder.reasons import NEVER_S, Reasons, ShardOfPage, Term
from trapline.app.folder.robot_state import (
    held_back_words,
    robot_note,
    robot_state,
)
from trapline.app.folder.schedule.controller_snapshot import (
    ControllerSnapshot,
    controller_of,
)
from trapline.app.folder.schedule.host_states import host_ready_in_s, host_state
from trapline.app.folder.schedule.learnt_rates import policy_with_rates
from trapline.app.folder.time_line import time_line
from trapline.core.cards import FRINGE, HELD, TERMS, Cards
from trapline.core.errors import UrlUnknown
from trapline.core.ports import NOTHING_TO_SAY, Explanation
from trapline.core.storage import SteadyStore
from trapline.core.urls import canonical, host_of
from trapline.policies.registry import name_of
from trapline.robot.agenda.fringe_prices import fringe_worth
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import say_cost
from trapline.scope.reach import Obstacle
from trapline.stores.united.shard_numbers import ShardNumbers
from trapline.theory.price import bracket, offer_age, offer_price

_STATES: Final = ("on the fringe", "held", "gone", "heard of, never followed up")
_TERM_NAMES: Final = ("freshness", "news")


def reasons_for(folder: Path, url: str) -> Reasons:
    name = canonical(url)
    if is_in_shards(folder):
        return _in_its_shard(folder, name)
    store = open_for_reading(folder)
    try:
        return _explain_page(folder, store, name)
    finally:
        store.close()


def _in_its_shard(folder: Path, url: str) -> Reasons:
    """Numbered as in the crawl, with what the ledger says of the shard."""
    store = open_crawl(folder)
    try:
        shard = _shard_of(store, url)
        figures = store.figures().rows[shard]
        numbers = ShardNumbers(shard, len(store.shards))
        reasons = _explain_page(folder, store.shards[shard], url)
        page = numbers.unite(reasons.page)
        return replace(
            reasons,
            page=page,
            time_line=replace(reasons.time_line, page=page),
            held_back=(figures.owner and figures.held_back) or reasons.held_back,
            wanted=wanted_lately(folder, page, day_now()),
            shard=ShardOfPage(shard, figures.owner, figures.epoch, figures.rate_per_s),
        )
    finally:
        store.close()


def _shard_of(store: CrawlStore, url: str) -> int:
    """The one that visits it; of a host that has just moved the one that knows more."""
    home = store.home_of(url)
    if store.shards[home].number_of(url) is not None:
        return home
    page = store.number_of(url)
    return home if page is None else ShardNumbers.shard_of(page, len(store.shards))


def _explain_page(folder: Path, store: SteadyStore, name: str) -> Reasons:
    with controller_of(store, folder) as found:
        known = len(found.book)
        page, host = found.book.number(name)
        if page >= known:
            shown = shown_place(folder)
            raise UrlUnknown(name, shown, _out_of_reach(found, name))
        now_s = max(time.time(), found.controller.now_s)
        reasons = _reasons(
            found.controller, page, host, name, found.book.host_name(host), now_s
        )
        visits = time_line(found.store, page)
        reasons = replace(
            reasons,
            time_line=visits,
            # a visit that read nothing is one, too
            age_s=now_s - visits.visits[-1].ended_s if visits.visits else reasons.age_s,
            hindrance=_hindrance(folder, found, host, name),
            held_back=held_back_words(
                robot_state(folder, found.store), robot_note(found.store)
            ),
            wanted=wanted_lately(folder, page, day_now()),
            demand_factor=found.controller.refresh.factors().get(page, 1.0),
        )
        if reasons.state != _STATES[HELD]:
            return reasons
        teacher = policy_with_rates(found.controller.refresh, found.store)
        return replace(reasons, rates=teacher.learnt_rates(page, host))


def _hindrance(folder: Path, found: ControllerSnapshot, host: int, url: str) -> str:
    row = found.store.host(host)
    if trouble := HostTroubles(orders_in_force(folder), found.store).of(row):
        return f"its host: {trouble}"
    asked = found.store.robots(host) is not None
    if asked and not found.controller.allows(host, url):
        return "robots.txt of its host forbids it"
    return ""


def _out_of_reach(found: ControllerSnapshot, url: str) -> str:
    """Why the host of a URL that has no number is out of reach; "" = it is not, as far as is
    known.
    """
    if not found.settings.scope.scope().allows_host(url):
        return say_obstacle(Obstacle.SCOPE)
    obstacle = obstacle_noted(found.store, host_of(url))
    return say_obstacle(obstacle) if obstacle is not None else ""


def _reasons(
    controller: RequestController,
    page: int,
    host: int,
    url: str,
    host_name: str,
    now_s: float,
) -> Reasons:
    agenda = controller.agenda
    cards = agenda.cards
    hosts = agenda.hosts
    if page >= len(cards) or host >= len(hosts):
        raise UrlUnknown(url, "this folder")
    held = cards["state"][page] == HELD
    price = float(
        offer_price(cards, page, now_s) if held else fringe_worth(agenda.books, page)
    )
    last_s = float(cards["last"][page])
    market = agenda.tally("market")
    local = float(hosts["local"][host])
    # automata take turns, whatever the price
    finite = math.isfinite(price) and not (held and controller.refresh.chooses)
    explained = _explain(controller, page, host, finite)
    cost = _cost_of(controller, page)
    due_s = _due_s(cards, page, max(market, local)) if held and finite else None
    return Reasons(
        url=url,
        page=page,
        state=_STATES[cards["state"][page]],
        policy=_policy_name(controller, held),
        age_s=now_s - last_s if math.isfinite(last_s) else None,
        price=price if finite else None,
        terms=_terms(cards, page, now_s) if held and finite else [],
        market_price=market,
        local_price=local,
        due_in_s=None if due_s is None else due_s - now_s,
        opens_in_s=min(max(0.0, float(cards["not_before"][page]) - now_s), NEVER_S),
        host=host_name,
        host_state=host_state(hosts, host, now_s),
        ready_in_s=host_ready_in_s(hosts, host, now_s),
        beliefs=explained.values if held else {},
        promise=explained.values if not held else {},
        explained=explained.lines + cost.lines,
        cost=cost.values,
    )


def _cost_of(controller: RequestController, page: int) -> Explanation:
    """What a visit takes of the budget, where visits differ in that."""
    costs = controller.costs
    if not costs.counts:
        return NOTHING_TO_SAY
    units = float(controller.agenda.cards["cost"][page])
    visits = costs.known_visits(page)
    by = f"by {visits:.2g} visits" if visits else "by other pages of its host"
    usual = say_cost(costs.usual, costs.kind)
    lines = [
        ("a visit costs", f"{say_cost(units, costs.kind)}, {by}; usually {usual}"),
        ("prices are", f"a visit's worth by {say_cost(1.0, costs.kind)} of its cost"),
    ]
    return Explanation({"cost": units, "usual": costs.usual}, lines)


def _explain(
    controller: RequestController, page: int, host: int, finite: bool
) -> Explanation:
    """What the policy says of the page; of a fringe page also what makes a price of its score."""
    agenda = controller.agenda
    state = agenda.cards["state"][page]
    if state == HELD:
        return controller.refresh.explain(page, host)
    if state != FRINGE or not finite:
        return NOTHING_TO_SAY
    said = controller.discovery.explain(page)
    if not said.values:
        return said
    bonus = float(agenda.hosts["bonus"][host])
    worth = agenda.tally("worth")
    lines = [
        ("its host adds", f"{bonus:.3f}, for being new to us"),
        ("a relevant page", f"is worth {worth:.4g}"),
    ]
    values = {**said.values, "bonus": bonus, "worth": worth}
    return Explanation(values, said.lines + lines)


def _policy_name(controller: RequestController, held: bool) -> str:
    if held:
        return name_of("refresh", controller.refresh)
    return name_of("discovery", controller.discovery)


def _due_s(cards: Cards, page: int, price: float) -> float:
    return float(cards["last"][page]) + float(offer_age(cards, page, price, NEVER_S))


def _terms(cards: Cards, page: int, now_s: float) -> list[Term]:
    age_s = now_s - float(cards["last"][page])
    terms = []
    for term in range(TERMS):
        worth = float(cards["worth"][page, term])
        rate = float(cards["rate"][page, term])
        shape = float(cards["shape"][page, term])
        if worth > 0.0:
            price = worth * bracket(rate * age_s, shape) / float(cards["cost"][page])
            terms.append(
                Term(
                    _TERM_NAMES[term],
                    worth,
                    rate,
                    shape if math.isfinite(shape) else None,
                    price,
                )
            )
    return terms
