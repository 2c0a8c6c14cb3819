"""Visits that a person ordered: due at once, once, and without a trace in prices."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import GONE, HELD, Cards
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, Ticket
from trapline.core.storage import Call
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.known_rate import KnownRate
from trapline.robot.agenda.agenda import Budget
from trapline.robot.journal import Journal
from trapline.robot.replay import replay
from trapline.robot.request_controller import RequestController

PAGES = 4
RATE = 1e-9  # no page is due for years


def new_controller() -> RequestController:
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=KnownRate(np.full(20, RATE), np.ones(20)),
        budget=Budget(per_s=100.0),
    )
    controller.add_own_host(gap_s=1.0)
    return controller


def settle(journal: Journal, ticket: Ticket, now_s: float, outcome: Outcome) -> None:
    journal.land(ticket, now_s)
    journal.settle(Observation(ticket, outcome, True, 1.0), now_s)


class Held:
    """A controller that holds all its pages, and the calls that made it."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.journal = Journal(new_controller(), self.calls.append)
        self.journal.admit(links_to(range(PAGES), [0] * PAGES), 0.0)
        self.now_s = 0.0
        while (self.cards["state"][:PAGES] != HELD).any():
            self.visit()

    @property
    def cards(self) -> Cards:
        return self.journal.controller.agenda.cards

    def visit(self, outcome: Outcome = Outcome.OK) -> int:
        """The page that is visited next."""
        self.now_s += 2.0
        [ticket] = self.journal.issue(self.now_s, 1)
        settle(self.journal, ticket, self.now_s, outcome)
        return ticket.page


@pytest.mark.parametrize("page", range(PAGES))
def test_an_ordered_page_is_next(page: int) -> None:
    held = Held()
    held.journal.order_visits([page], held.now_s)
    assert held.visit() == page


def test_an_ordered_page_that_is_new_is_among_the_next_two() -> None:
    held = Held()
    held.journal.admit(links_to([PAGES], [0]), held.now_s)
    held.journal.admit(links_to(range(PAGES + 1, 20), [0] * 15), held.now_s)
    held.journal.order_visits([19], held.now_s)
    assert 19 in (held.visit(), held.visit())


@pytest.mark.parametrize("outcome", [Outcome.OK, Outcome.UNCHANGED, Outcome.FAILED])
def test_its_offer_is_what_it_was_and_no_price_was_paid(outcome: Outcome) -> None:
    held = Held()
    base = float(held.cards["base"][3])
    market = held.journal.controller.agenda.tally("market")
    held.journal.order_visits([3, 3], held.now_s)
    held.journal.order_visits([3], held.now_s)
    assert held.visit(outcome) == 3
    assert float(held.cards["base"][3]) == base
    assert held.journal.controller.agenda.tally("market") == market
    assert held.visit() != 3, "only once"


def test_pages_that_are_forgotten_or_unknown_are_not_visited() -> None:
    held = Held()
    held.journal.order_visits([2], held.now_s)
    held.journal.forget([2], held.now_s)
    held.journal.order_visits([2, 99], held.now_s)
    assert held.cards["state"][2] == GONE and not np.isposinf(held.cards["base"][2])


def test_orders_survive_a_restart() -> None:
    held = Held()
    held.journal.order_visits([1], held.now_s)
    saved = {n: np.array(a) for n, a in held.journal.controller.save().items()}
    restored = new_controller()
    restored.load(saved)
    replayed = new_controller()
    replay(replayed, held.calls)
    for controller in (restored, replayed):
        journal = Journal(controller, lambda _: None)
        [ticket] = journal.issue(held.now_s + 2.0, 1)
        assert ticket.page == 1
        settle(journal, ticket, held.now_s + 2.0, Outcome.OK)
        assert np.isfinite(controller.agenda.cards["base"][1])


def test_a_checkpoint_that_knows_of_no_orders_is_read() -> None:
    held = Held()
    saved = {n: np.array(a) for n, a in held.journal.controller.save().items()}
    del saved["ordered.bases"]
    restored = new_controller()
    restored.load(saved)
    assert restored.save()["ordered.bases"].shape == (0, 2)
