"""No host is ever hurried: whatever the policy, hosts, gaps, addresses, latencies, room, budget and
mishaps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.registered import as_run, discovery_makers, refresh_makers
from trapline.core.links import links_to
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.policies import registry
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import Limits, RequestController

PAGES = 64
LEASE_S = 12.0


REFRESH = as_run(refresh_makers(PAGES))
DISCOVERY = discovery_makers(PAGES)


@dataclass(frozen=True)
class Web:
    """What the robot meets."""

    gaps: list[float]
    addresses: list[int]  # of each host
    budget: Budget
    room: int
    latency_s: float
    seed: int


@dataclass
class Watch:
    """An onlooker who knows only what was promised, and notes every visit."""

    web: Web
    gap_s: Callable[[int], float]
    under_way: dict[int, Ticket] = field(default_factory=dict)
    learning: set[int] = field(default_factory=set)  # pages in flight or in the queue
    host_ended: dict[int, float] = field(default_factory=dict)
    address_ended: dict[int, float] = field(default_factory=dict)
    not_before: dict[int, float] = field(default_factory=dict)
    rules: dict[int, Robots] = field(default_factory=dict)
    tokens: float = math.nan
    counted_s: float = 0.0
    visits: int = 0

    def begins(self, ticket: Ticket, now_s: float) -> None:
        host = ticket.host
        address = self.web.addresses[ticket.host]
        assert host not in {other.host for other in self.under_way.values()}, (
            "two visits at once to a host"
        )
        busy = {self.web.addresses[other.host] for other in self.under_way.values()}
        assert address not in busy, "two visits at once to an address"
        gap_s = self.gap_s(host)
        assert now_s >= self.host_ended.get(host, -math.inf) + gap_s, "host hurried"
        shortest_s = min(
            gap
            for gap, where in zip(self.web.gaps, self.web.addresses, strict=True)
            if where == address
        )
        ended_s = self.address_ended.get(address, -math.inf)
        assert now_s >= ended_s + shortest_s, "address hurried"
        assert now_s >= self.not_before.get(host, -math.inf), "Retry-After not obeyed"
        self.under_way[ticket.number] = ticket
        if ticket.kind is Kind.PAGE:
            self._page_begins(ticket, now_s)

    def _page_begins(self, ticket: Ticket, now_s: float) -> None:
        assert ticket.page not in self.learning, "a page in flight twice"
        self.learning.add(ticket.page)
        rules = self.rules[ticket.host]  # a page before any robots.txt: KeyError
        assert rules.text is not None and now_s < rules.until_s, "no valid robots.txt"
        assert "Disallow" not in rules.text or ticket.page % 2 == 0, "disallowed"
        budget = self.web.budget
        if math.isfinite(budget.per_s):
            if math.isnan(self.tokens):
                self.tokens = budget.burst
            self.tokens = (
                min(budget.burst, self.tokens + (now_s - self.counted_s) * budget.per_s)
                - 1.0
            )
            assert self.tokens >= -1e-6, "over budget"
        self.counted_s = now_s
        self.visits += 1

    def ends(self, ticket: Ticket, ended_s: float) -> None:
        self.under_way.pop(ticket.number, None)
        host = ticket.host
        address = self.web.addresses[ticket.host]
        self.host_ended[host] = max(ended_s, self.host_ended.get(host, -math.inf))
        self.address_ended[address] = max(
            ended_s, self.address_ended.get(address, -math.inf)
        )


class Life:
    def __init__(
        self, web: Web, refresh: RefreshPolicy, discovery: DiscoveryPolicy | None = None
    ) -> None:
        self.web, self.chance, self.now_s = web, Random(web.seed), 0.0
        self.controller = RequestController(
            discovery=discovery or BreadthFirst(),
            refresh=refresh,
            budget=web.budget,
            url=lambda page: f"http://host/{'odd' if page % 2 else 'even'}/{page}",
            gap_s=lambda host, delay_s: max(web.gaps[host], delay_s or 0.0),
            limits=Limits(lease_s=LEASE_S),
        )
        self.watch = Watch(
            web, lambda host: float(self.controller.agenda.hosts["gap"][host])
        )
        # when it will land; ∞ = nobody will ever hear of it
        self.flying: list[tuple[float, Ticket]] = []
        self.queue: list[Ticket] = []
        self.late: list[Ticket] = []
        self.known = 0
        hosts = len(web.gaps)
        seeds = np.arange(0, PAGES, 3)
        self.controller.admit(links_to(seeds, seeds % hosts), 0.0)

    def locate(self) -> None:
        while self.known < self.controller.hosts():
            self.controller.locate(
                self.known, f"127.0.0.{self.web.addresses[self.known]}", self.now_s
            )
            self.known += 1

    def issue(self) -> None:
        for ticket in self.controller.issue(
            self.now_s, self.web.room - len(self.flying)
        ):
            self.watch.begins(ticket, self.now_s)
            lasts_s = self.web.latency_s * self.chance.expovariate(1.0)
            lands_s = math.inf if self.chance.random() < 0.04 else self.now_s + lasts_s
            self.flying.append((lands_s, ticket))

    def land(self) -> None:
        due = [entry for entry in self.flying if entry[0] <= self.now_s]
        for entry in due:
            self.flying.remove(entry)
            self.controller.land(entry[1], entry[0])
            self.watch.ends(entry[1], entry[0])
            self.queue.append(entry[1])
        # given up long ago, it comes to an end only now
        if self.late and self.chance.random() < 0.2:
            ticket = self.late.pop()
            self.controller.land(ticket, self.now_s)
            self.watch.ends(ticket, self.now_s)
            self.controller.settle(self.observation(ticket), self.now_s)

    def settle(self) -> None:
        while self.queue and self.chance.random() < 0.7:
            ticket = self.queue.pop(0)
            observation = self.observation(ticket)
            self.controller.settle(observation, self.now_s)
            self.watch.learning.discard(ticket.page)
            if observation.retry_after_s:
                self.watch.not_before[ticket.host] = (
                    self.now_s + observation.retry_after_s
                )
            if isinstance(robots := observation.robots, Robots):
                self.watch.rules[ticket.host] = robots
                if robots.text is None:
                    self.watch.not_before[ticket.host] = robots.until_s

    def observation(self, ticket: Ticket) -> Observation:
        chance = self.chance
        if ticket.kind is Kind.ROBOTS:
            text = chance.choice(
                [
                    "",
                    "",
                    "User-agent: *\nCrawl-delay: 3.5",
                    "User-agent: *\nDisallow: /odd",
                    None,
                ]
            )
            robots = Robots(text, self.now_s + chance.choice([5.0, 60.0]))
            return Observation(ticket, Outcome.OK, robots=robots)
        outcome = chance.choices(list(Outcome), [70, 10, 1, 2, 12, 1])[0]
        retry_after_s = chance.choice([0.0, 4.0]) if outcome is Outcome.FAILED else 0.0
        hosts = len(self.web.gaps)
        pages = [chance.randrange(PAGES) for _ in range(chance.choice([0, 2]))]
        links = links_to(pages, [page % hosts for page in pages])
        # some promise more than others
        links["anchor"] = [page % 7 / 7.0 for page in pages]
        return Observation(
            ticket,
            outcome,
            chance.random() < 0.5,
            ticket.page % 5 / 4.0,
            links,
            retry_after_s,
        )

    def expire(self) -> None:
        for ticket in self.controller.expire(self.now_s):
            assert ticket.issued_s + LEASE_S <= self.now_s
            self.watch.learning.discard(ticket.page)
            if ticket.number in self.watch.under_way:
                self.watch.ends(ticket, self.now_s)
                self.late.append(ticket)
            self.flying = [
                entry for entry in self.flying if entry[1].number != ticket.number
            ]
            self.queue = [
                other for other in self.queue if other.number != ticket.number
            ]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.expire()
            self.locate()
            self.land()
            if self.chance.random() < 0.5:
                self.issue()
            self.settle()
            self.issue()
            upcoming = [lands_s for lands_s, _ in self.flying if lands_s > self.now_s]
            upcoming += [
                self.controller.next_time(),
                self.now_s + self.chance.choice([0.0, 0.3, 1.1]),
            ]
            # often the very instant at which something opens
            self.now_s = max(self.now_s, min(upcoming))


@st.composite
def webs(draw: st.DrawFn) -> Web:
    hosts = draw(st.integers(1, 6))
    return Web(
        gaps=draw(
            st.lists(
                st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.5]),
                min_size=hosts,
                max_size=hosts,
            )
        ),
        addresses=draw(st.lists(st.integers(0, 3), min_size=hosts, max_size=hosts)),
        budget=Budget(
            per_s=draw(st.sampled_from([math.inf, 0.7, 3.0, 10.0])),
            burst=draw(st.sampled_from([1.0, 1.5, 4.0])),
            discovery_share=draw(st.sampled_from([0.0, 0.5, 1.0])),
        ),
        room=draw(st.integers(1, 8)),
        latency_s=draw(st.sampled_from([0.0, 0.2, 3.0])),
        seed=draw(st.integers(0, 2**32)),
    )


def test_every_policy_is_tried() -> None:
    assert set(REFRESH) == set(registry.REFRESH)
    assert set(DISCOVERY) == set(registry.DISCOVERY)


@pytest.mark.parametrize("name", REFRESH)
@settings(deadline=None, max_examples=150)
@given(web=webs())
def test_no_host_is_hurried(name: str, web: Web) -> None:
    Life(web, REFRESH[name]()).run(200)


@pytest.mark.parametrize("refresh", ["adaptive-whittle", "uniform", "htraa"])
@pytest.mark.parametrize("name", DISCOVERY)
@settings(deadline=None, max_examples=75)
@given(web=webs())
def test_no_host_is_hurried_by_discovery(name: str, refresh: str, web: Web) -> None:
    Life(web, REFRESH[refresh](), DISCOVERY[name]()).run(200)


def test_the_onlooker_has_something_to_see() -> None:
    """The lives above are full ones: many visits, on several hosts of one address, with late
    landings.
    """
    web = Web(
        [0.0, 0.1, 0.3, 1.0],
        [0, 0, 1, 2],
        Budget(per_s=10.0, burst=4.0),
        8,
        0.2,
        seed=1,
    )
    life = Life(web, Uniform())
    life.run(1500)
    assert life.watch.visits > 200
    assert len(life.watch.rules) == 4
    assert life.controller.hosts() == 4
