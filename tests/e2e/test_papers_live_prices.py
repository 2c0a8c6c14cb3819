"""What lines of the papers offer a crawl beside policies that stand alone: fetchers by price and
queue, contents that are observed, visits that cost seconds. In the live loop, on a pretend clock.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import numpy as np

from tests.e2e.support.pretend_live import live_tickets
from trapline.core.links import SIGNAL, Signals
from trapline.core.records import Observation, Outcome, Ticket
from trapline.laboratory.runs.drive import new_controller, observe
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.registry import make_fetcher_policy, make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import CostKind

ROOM = 8  # places in the response queue


def controller_for(truth: Truth, budget: Budget, **options: float) -> RequestController:
    return new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=make_refresh_policy("adaptive-whittle", options),
        budget=budget,
        seeds=list(range(len(truth.pages))),
    )


# How many fetchers, by price and queue: reading is slow, and what waits fades


def price_and_pace(name: str, read_s: float) -> tuple[float, float]:
    """Mean price of the late visits, and how many of them a second."""
    rate = np.geomspace(0.02, 2.0, 48)
    host = np.arange(48, dtype=np.int32) % 12
    truth = make_truth(host=host, rate=rate, gap_s=0.05, latency_s=0.3, seed=3)
    policy = make_fetcher_policy(name, most=12, capacity=ROOM, options={})
    tickets = live_tickets(
        controller_for(truth, Budget(), fastest_s=0.1),
        truth,
        visits=3_000,
        fetchers=FetcherController(policy, ROOM),
        read_s=read_s,
    )
    late = [ticket for ticket in tickets[-1_500:] if ticket.price < np.inf]
    took_s = late[-1].issued_s - late[0].issued_s
    return mean(ticket.price for ticket in late), len(late) / took_s


def test_joint_makes_fewer_and_dearer_visits_where_reading_is_slow() -> None:
    price, pace = price_and_pace("joint", read_s=0.25)
    usual, most = price_and_pace("adaptive", read_s=0.25)
    assert price > 1.2 * usual
    assert pace < 0.8 * most
    at_ease, _ = price_and_pace("joint", read_s=0.0)
    assert price > 2.0 * at_ease


# Contents that are observed: a list announces more items on one page than on another

LIST, PAIR, REST = 0, (1, 2), 9  # pages


class Announcements:
    """Each time that the list is read it tells of three items on one page of a pair and of one on
    the other, in turn. They are what visits find there; nothing else changes.
    """

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._turn = 0
        self._waiting: dict[int, int] = {}  # items that no visit has found yet, by page
        self.richer: list[
            int
        ] = []  # page with more items, announcement by announcement
        self.first: list[int] = []  # page of the pair that was visited first after it

    def find(self, ticket: Ticket, now_s: float) -> Observation:
        seen = observe(self._truth, ticket, now_s)
        if ticket.page == LIST:
            words = self._announce(now_s)
            return replace(seen, outcome=Outcome.OK, changed=True, signals=words)
        items = self._waiting.pop(ticket.page, 0)
        if len(self._waiting) == 1 and items:
            self.first.append(ticket.page)
        outcome = Outcome.OK if items else Outcome.UNCHANGED
        return replace(seen, outcome=outcome, changed=items > 0, news=0.5 * items)

    def _announce(self, now_s: float) -> Signals:
        if self._waiting:
            return np.zeros(0, SIGNAL)
        more, fewer = PAIR[:: 1 if self._turn % 2 else -1]
        self._turn += 1
        self.richer.append(more)
        self._waiting = {more: 3, fewer: 1}
        words = [
            (more, now_s - 0.2),
            (more, now_s - 0.1),
            (more, now_s),
            (fewer, now_s),
        ]
        return np.array(words, SIGNAL)


def share_of_richer_first(observed: float) -> float:
    truth = make_truth(
        host=np.arange(REST, dtype=np.int32),
        rate=np.full(REST, 1e-6),
        latency_s=0.05,
        seed=3,
    )
    told = Announcements(truth)
    live_tickets(
        controller_for(truth, Budget(per_s=1.0), observed=observed),
        truth,
        visits=1_500,
        fetchers=FetcherController(Fixed(1, ROOM), ROOM),
        find=told.find,
    )
    late = list(zip(told.first, told.richer, strict=False))[-40:]
    assert len(late) == 40
    return mean(first == richer for first, richer in late)


def test_where_contents_are_observed_more_items_are_fetched_first() -> None:
    assert share_of_richer_first(1.0) > 0.9
    assert share_of_richer_first(0.0) < 0.7


# Visits that cost seconds: hosts of which half are slow


def share_of_slow_hosts(cost: CostKind, per_s: float) -> float:
    host = np.arange(24, dtype=np.int32)
    latency_s = np.where(host % 2, 2.0, 0.1)
    truth = make_truth(host=host, rate=np.full(24, 0.1), latency_s=latency_s, seed=3)
    tickets = live_tickets(
        controller_for(truth, Budget(per_s=per_s, cost=cost)),
        truth,
        visits=2_000,
        fetchers=FetcherController(Fixed(8, ROOM), ROOM),
    )
    return mean(ticket.page % 2 for ticket in tickets[-1_000:])


def test_where_seconds_are_paid_slow_hosts_are_visited_less() -> None:
    assert share_of_slow_hosts(CostKind.SECONDS, per_s=1.0) < 0.35
    assert share_of_slow_hosts(CostKind.VISITS, per_s=1.0) > 0.45
