"""Hosts may have a price of their own: visits there cost so many times as much."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.robot.test_visit_costs import visit_until
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, Ticket
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.refresh.known_rate import KnownRate
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import CostKind, VisitCosts

PAGES = 30
DEAR = 4.0


def price(host: int) -> float:
    """Every second host is dear."""
    return DEAR if host % 2 else 1.0


def crawl(
    kind: CostKind = CostKind.VISITS, *, priced: bool = True, per_s: float = 1.0
) -> RequestController:
    """Pages that are worth the same and change as often, each alone on its host."""
    controller = RequestController(
        discovery=BestFirst(),
        refresh=KnownRate(np.full(PAGES, 0.02), np.ones(PAGES)),
        budget=Budget(
            per_s=per_s, burst=1.0, cost=kind, host_price=price if priced else None
        ),
    )
    for _ in range(PAGES):
        controller.add_own_host(gap_s=0.0)
    everywhere = list(range(PAGES))
    controller.admit(links_to(everywhere, everywhere), 0.0)
    return controller


def visit_at_once(controller: RequestController, end_s: float) -> list[Ticket]:
    """Answers take no time."""
    made: list[Ticket] = []
    now_s = 0.0
    while now_s < end_s:
        for ticket in controller.issue(now_s, room=1):
            controller.land(ticket, now_s)
            controller.settle(Observation(ticket, Outcome.OK, True, 1.0), now_s)
            made.append(ticket)
        now_s = max(now_s + 1e-3, min(controller.next_time(), now_s + 1.0))
    return made


def test_dear_hosts_are_visited_less_often_and_the_budget_is_spent_by_price() -> None:
    controller = crawl(per_s=1.0)
    made = visit_at_once(controller, 3_000.0)
    spent = sum(price(ticket.host) for ticket in made)
    assert spent / 3_000.0 == pytest.approx(1.0, rel=0.02)
    late = [ticket.host % 2 for ticket in made if ticket.issued_s > 500.0]
    assert late.count(0) > 1.5 * late.count(1) > 0
    assert controller.costs.usual == pytest.approx(spent / len(made), rel=0.1)


def test_a_price_counts_before_anything_is_learnt() -> None:
    controller = crawl()
    assert controller.agenda.cards["cost"][:PAGES].tolist() == [1.0, DEAR] * (
        PAGES // 2
    )


def test_prices_multiply_what_visits_take() -> None:
    costs = VisitCosts(CostKind.BYTES, price)
    for page in range(20):
        taken = costs.units(took_s=0.1, received=200_000)
        assert taken == 2.0
        costs.learn(page, host=page % 2, units=taken)
    assert costs.of_page(99, host=1) == pytest.approx(DEAR * costs.of_page(99, host=0))
    assert costs.of_hosts(2).tolist() == [costs.of_host(0), costs.of_host(1)]
    hosts = np.array([page % 2 for page in range(20)])
    assert costs.of_pages(hosts) == pytest.approx(
        [costs.of_page(page, page % 2) for page in range(20)]
    )


def test_other_prices_after_a_restart_are_on_all_cards_at_once() -> None:
    before = crawl(CostKind.BYTES)
    visit_until(before, 500.0)
    same = crawl(CostKind.BYTES)
    same.load(before.save())
    assert same.agenda.tally("market") == before.agenda.tally("market") > 0.0
    assert same.agenda.cards["cost"][:PAGES] == pytest.approx(
        before.agenda.cards["cost"][:PAGES]
    )
    none = crawl(CostKind.BYTES, priced=False)
    none.load(before.save())
    learnt = before.agenda.cards["cost"][:PAGES] / [
        price(host) for host in range(PAGES)
    ]
    assert none.agenda.cards["cost"][:PAGES] == pytest.approx(learnt, rel=0.01)
    assert none.agenda.tally("market") == 0.0
    plain = crawl(priced=False)
    plain.load(crawl().save())
    assert set(plain.agenda.cards["cost"].tolist()) == {1.0}
    dear = crawl()
    dear.load(crawl(priced=False).save())
    assert dear.agenda.cards["cost"][1] == DEAR
