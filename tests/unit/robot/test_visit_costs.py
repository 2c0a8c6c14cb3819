"""What visits cost: learnt from visits, spent from the budget, and what prices are divided by."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, Ticket
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.refresh.known_rate import KnownRate
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import LEAST, CostKind, VisitCosts
from trapline.theory.price import offer_price

SIZES = (5_000, 50_000, 300_000)  # bytes of the pages of one host each


def crawl(kind: CostKind, per_s: float, pages: int = 30) -> RequestController:
    """Pages that are worth the same and change as often, each alone on its host."""
    controller = RequestController(
        discovery=BestFirst(),
        refresh=KnownRate(np.full(pages, 0.02), np.ones(pages)),
        budget=Budget(per_s=per_s, burst=1.0, cost=kind),
    )
    for _ in range(pages):
        controller.add_own_host(gap_s=0.0)
    everywhere = list(range(pages))
    controller.admit(links_to(everywhere, everywhere), 0.0)
    return controller


def size_of(page: int) -> int:
    return SIZES[page % len(SIZES)]


def visit_until(controller: RequestController, end_s: float) -> list[Ticket]:
    """Pages of all sizes take their time: 0.1 s for 10 kB."""
    made: list[Ticket] = []
    now_s = max(0.0, controller.now_s)
    while now_s < end_s:
        for ticket in controller.issue(now_s, room=1):
            ended_s = now_s + size_of(ticket.page) * 1e-5
            controller.land(ticket, ended_s)
            seen = Observation(
                ticket, Outcome.OK, True, 1.0, received=size_of(ticket.page)
            )
            controller.settle(seen, ended_s)
            made.append(ticket)
            now_s = ended_s
        now_s = max(now_s + 1e-3, min(controller.next_time(), now_s + 1.0))
    return made


def test_a_budget_of_bytes_is_spent_to_the_byte_and_on_what_is_worth_its_bytes() -> (
    None
):
    controller = crawl(CostKind.BYTES, per_s=1.0)  # 100 kB a second
    made = visit_until(controller, 3_000.0)
    spent = sum(size_of(ticket.page) for ticket in made)
    assert spent / 3_000.0 == pytest.approx(100_000, rel=0.02)
    late = [size_of(ticket.page) for ticket in made if ticket.issued_s > 500.0]
    often = [late.count(size) for size in SIZES]
    assert often[0] > 1.5 * often[1] > 1.5 * 1.5 * often[2]


def test_where_visits_are_counted_their_bytes_do_not_matter() -> None:
    controller = crawl(CostKind.VISITS, per_s=1.0)
    late = [size_of(ticket.page) for ticket in visit_until(controller, 1_500.0)]
    often = [late.count(size) for size in SIZES]
    assert max(often) < 1.1 * min(often)
    assert set(controller.agenda.cards["cost"].tolist()) == {1.0}
    assert not controller.costs.save()


def test_seconds_are_those_from_asking_to_the_end_of_the_answer() -> None:
    controller = crawl(CostKind.SECONDS, per_s=0.5)
    made = visit_until(controller, 2_000.0)
    assert sum(size_of(t.page) * 1e-5 for t in made) / 2_000.0 == pytest.approx(
        0.5, rel=0.02
    )
    assert controller.costs.of_page(2, 2) == pytest.approx(3.0, rel=0.05)


def test_the_price_is_per_unit_of_what_a_visit_costs() -> None:
    controller = crawl(CostKind.BYTES, per_s=1.0)
    visit_until(controller, 2_000.0)
    cards = controller.agenda.cards
    cards["last"][:30] = 0.0
    cheap, dear = offer_price(cards, 0, 40.0), offer_price(cards, 2, 40.0)
    assert cheap / dear == pytest.approx(SIZES[2] / SIZES[0], rel=0.2)


def test_a_page_never_visited_is_expected_to_cost_what_its_host_does_then_what_all_do() -> (
    None
):
    costs = VisitCosts(CostKind.BYTES)
    for page in range(20):
        costs.learn(page, host=page % 2, units=(1.0, 5.0)[page % 2])
    assert costs.of_page(99, host=0) == pytest.approx(1.0, rel=0.2)
    assert costs.of_page(99, host=1) == pytest.approx(5.0, rel=0.2)
    assert costs.of_page(99, host=7) == pytest.approx(costs.usual)
    assert costs.of_hosts(8)[[0, 1, 7]].tolist() == [
        costs.of_host(0),
        costs.of_host(1),
        costs.usual,
    ]


def test_a_visit_that_failed_is_paid_but_makes_the_next_one_no_cheaper() -> None:
    controller = crawl(CostKind.BYTES, per_s=1.0, pages=1)
    visit_until(controller, 50.0)
    before = float(controller.agenda.cards["cost"][0])
    [ticket] = controller.issue(1_000.0, room=1)
    controller.settle(Observation(ticket, Outcome.FAILED, received=0), 1_001.0)
    assert float(controller.agenda.cards["cost"][0]) == before
    # it is charged the least, not what was expected
    owed_s = controller.agenda.tally("free_at") - 1_000.0
    assert owed_s == pytest.approx(LEAST, rel=1e-3)


def test_what_is_learnt_survives_and_another_unit_starts_afresh() -> None:
    before = crawl(CostKind.BYTES, per_s=1.0)
    visit_until(before, 500.0)
    again = crawl(CostKind.BYTES, per_s=1.0)
    again.load(before.save())
    assert again.costs.of_page(2, 2) == before.costs.of_page(2, 2) > 2.0
    other = crawl(CostKind.SECONDS, per_s=1.0)
    other.load(before.save())
    assert set(other.agenda.cards["cost"].tolist()) == {1.0}
    assert other.agenda.tally("market") == 0.0
    plain = crawl(CostKind.VISITS, per_s=1.0)
    plain.load(before.save())
    assert set(plain.agenda.cards["cost"].tolist()) == {1.0}
    assert visit_until(plain, 520.0)
