"""A visit has a floor price: with as many visits to spend as one likes, and hosts of one's own that
owe no gap, a page is left alone until it is likely enough to have changed, and who has nothing to
do makes room for others.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter

import numpy as np
import pytest

from trapline.core.links import SIGNAL, links_to
from trapline.core.records import Observation, Outcome, Robots, Ticket
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.posterior import LEAST_CHANCE
from trapline.policies.registry import make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import Limits, RequestController

STILL = 0  # a host of pages that never change,
NEW = 1  # and one of pages that nobody has visited
TEN_MINUTES = 600.0


class Crawl:
    """Own hosts, gap 0, an unlimited budget; the policies and limits of a live robot."""

    def __init__(self, options: dict[str, float] | None = None) -> None:
        self.controller = RequestController(
            discovery=Value(),
            refresh=make_refresh_policy("auto", options),
            budget=Budget(),
            url=lambda page: f"http://host/{page}",
            gap_s=lambda host, delay_s: delay_s or 0.0,
            limits=Limits(share_by_yield=True),
        )
        self.now_s = 0.0
        self.visits: Counter[int] = Counter()  # by page
        self.under_way: list[tuple[float, int, Ticket]] = []

    def meet(self, pages: dict[int, int]) -> None:
        """Pages on hosts, each on an address of its own."""
        self.controller.admit(links_to(list(pages), list(pages.values())), self.now_s)
        for host in set(pages.values()):
            self.controller.locate(host, f"192.0.2.{host}", self.now_s)

    def run(self, until_s: float) -> None:
        while self.now_s < until_s:
            for ticket in self.controller.issue(self.now_s, 8):
                takes_s = 0.5 if ticket.host == NEW else 0.008
                landing = (self.now_s + takes_s, ticket.number, ticket)
                heapq.heappush(self.under_way, landing)
            next_s = max(self.controller.next_time(), self.now_s + 1e-3)
            lands_s = self.under_way[0][0] if self.under_way else math.inf
            self.now_s = min(next_s, lands_s, until_s)
            if lands_s <= self.now_s:
                self.answer(heapq.heappop(self.under_way)[2])

    def answer(self, ticket: Ticket) -> None:
        self.controller.land(ticket, self.now_s)
        if ticket.page < 0:
            robots = Observation(ticket, Outcome.OK, robots=Robots("", 1e9))
            self.controller.settle(robots, self.now_s)
            return
        self.visits[ticket.page] += 1
        relevance = 0.02 if ticket.host == NEW else 1.0
        first = self.visits[ticket.page] == 1
        self.controller.settle(
            Observation(ticket, Outcome.OK, first, relevance), self.now_s
        )


def test_pages_that_do_not_change_leave_the_visits_to_those_that_nobody_has_seen() -> (
    None
):
    crawl = Crawl()
    still = dict.fromkeys(range(160), STILL)
    new = dict.fromkeys(range(160, 460), NEW)
    crawl.meet(still | new)
    crawl.run(TEN_MINUTES)
    assert max(crawl.visits[page] for page in still) <= 25
    assert all(crawl.visits[page] for page in new)


def test_new_pages_are_fetched_as_fast_as_their_host_answers() -> None:
    """Its small yield earns it one visit in seconds; but nobody else wants the visits."""
    crawl = Crawl()
    crawl.meet(dict.fromkeys(range(160), STILL))
    crawl.run(30.0)
    new = range(160, 360)
    crawl.meet(dict.fromkeys(new, NEW))
    crawl.run(58.0)
    assert crawl.controller.host_book.turn_s(NEW) > 3.0, "its yield earns it little"
    crawl.run(30.0 + 0.5 * len(new) + 5.0)
    assert all(crawl.visits[page] for page in new)


def test_idle_is_a_right_answer() -> None:
    crawl = Crawl()
    crawl.meet(dict.fromkeys(range(20), STILL))
    crawl.run(TEN_MINUTES)
    assert not crawl.controller.under_way
    assert crawl.now_s < crawl.controller.next_time() < math.inf
    tireless = Crawl({"least_chance": 0.0})
    tireless.meet(dict.fromkeys(range(20), STILL))
    tireless.run(5.0)
    assert tireless.visits.total() > 500, "what it would do without a floor"


def test_no_page_is_looked_at_before_it_may_have_changed() -> None:
    """Of a page whose rate is known, it is the age at which a hundredth have changed."""
    crawl = Crawl({"remembers": 2000.0})
    crawl.meet({0: STILL})
    policy = crawl.controller.refresh
    cards = crawl.controller.agenda.cards
    crawl.run(1.0)
    evidence = policy.belief.pages["evidence"]  # type: ignore[attr-defined]
    evidence[0] = (500.0, math.log(3600.0), 500.0 * 3600.0, 500.0)
    crawl.controller.order_visits([0], crawl.now_s)
    crawl.run(2.0)
    rest_s = float(cards["not_before"][0] - cards["last"][0])
    rate = policy.change_rate(0).mean  # type: ignore[attr-defined]
    assert rate == pytest.approx(math.log(2.0) / 3600.0, rel=0.2)
    assert -math.expm1(-rate * rest_s) == pytest.approx(LEAST_CHANCE, rel=0.01)


def test_a_page_that_is_said_to_have_changed_need_not_rest() -> None:
    crawl = Crawl()
    crawl.meet({0: STILL, 1: STILL})
    crawl.run(TEN_MINUTES)
    before = crawl.visits[1]
    signals = np.zeros(1, SIGNAL)
    signals["page"] = 1
    signals["modified_s"] = crawl.now_s
    crawl.controller.order_visits([0], crawl.now_s)
    [ticket] = crawl.controller.issue(crawl.now_s, 9)
    told = Observation(ticket, Outcome.OK, False, 1.0, signals=signals)
    crawl.controller.land(ticket, crawl.now_s)
    crawl.controller.settle(told, crawl.now_s)
    crawl.run(crawl.now_s + 0.1)
    assert crawl.visits[1] == before + 1


def test_it_rests_after_a_restart_as_before() -> None:
    crawl = Crawl()
    crawl.meet(dict.fromkeys(range(40), STILL))
    crawl.run(60.0)
    again = Crawl()
    saved = crawl.controller.save()
    again.controller.load({name: np.array(array) for name, array in saved.items()})
    again.now_s = crawl.now_s
    again.visits = crawl.visits.copy()
    again.under_way = list(crawl.under_way)
    assert again.controller.next_time() == crawl.controller.next_time()
    for one in (crawl, again):
        one.run(300.0)
    assert again.visits == crawl.visits
