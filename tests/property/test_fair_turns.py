"""Turns on an address are fair: a host that waits is served after at most its gap and one turn of
each other, however dear the others' pages are, also with a thousand hosts on one address.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.core.links import links_to
from trapline.core.records import Kind, Observation, Outcome, Robots
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController


class Address:
    """Hosts on one address, each with pages that nobody has fetched; visits last `lasts_s`."""

    def __init__(self, gaps_s: list[float], lasts_s: float, pages: int) -> None:
        hosts = len(gaps_s)
        self.gaps_s = gaps_s
        self.lasts_s = lasts_s
        self.now_s = 0.0
        self.served: dict[int, list[float]] = {host: [] for host in range(hosts)}
        self.controller = RequestController(
            discovery=BreadthFirst(),
            refresh=Uniform(),
            budget=Budget(),
            url=lambda page: f"http://h/{page}",
            gap_s=lambda host, delay_s: gaps_s[host],
        )
        # the first hosts' pages were found first, hence are dearest
        numbers = list(range(hosts * pages))
        of_host = [number // pages for number in numbers]
        self.controller.admit(links_to(numbers, of_host), 0.0)
        for host in range(hosts):
            self.controller.locate(host, "192.0.2.1", 0.0)

    def visit(self) -> None:
        """The next one, from its beginning to its end."""
        while not (tickets := self.controller.issue(self.now_s, 9)):
            self.now_s = max(self.now_s, self.controller.next_time())
        [ticket] = tickets  # one at a time
        self.served[ticket.host].append(self.now_s)
        self.now_s += self.lasts_s
        self.controller.land(ticket, self.now_s)
        robots = Robots("", math.inf) if ticket.kind is Kind.ROBOTS else None
        seen = Observation(ticket, Outcome.GONE, robots=robots)
        self.controller.settle(seen, self.now_s)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0, 20.0]), min_size=1, max_size=6),
    st.sampled_from([0.0, 0.05, 1.0]),
)
def test_nobody_waits_longer_than_its_gap_and_a_turn_of_each(
    gaps_s: list[float], lasts_s: float
) -> None:
    visits = 8 * len(gaps_s)
    address = Address(gaps_s, lasts_s, pages=visits)  # none runs out of them
    for _ in range(visits):
        address.visit()
    for host, gap_s in enumerate(gaps_s):
        # of each other: its visit, and the gap that the address owes after it
        turns_s = (len(gaps_s) - 1) * (lasts_s + min(gaps_s))
        served = [0.0, *address.served[host], address.now_s]
        longest = max(b - a for a, b in pairwise(served))
        assert longest <= gap_s + lasts_s + turns_s + 1e-6, (host, served)


def test_a_patient_host_beside_quick_ones() -> None:
    address = Address([0.1, 0.1, 3.0], 0.05, pages=400)
    while address.now_s < 31.0:
        address.visit()
    slow = address.served[2]
    assert len(slow) >= 9
    assert min(b - a for a, b in pairwise(slow)) >= 3.05 - 1e-9
    # one that asks for patience does not ask it of its neighbours
    assert len(address.served[0]) + len(address.served[1]) > 150


@pytest.mark.parametrize("slow_one", [False, True])
def test_a_thousand_hosts_on_one_address(slow_one: bool) -> None:
    gaps_s = [1.0] * 1000
    if slow_one:
        gaps_s[500] = 2000.0
    address = Address(gaps_s, 0.01, pages=3)
    for _ in range(2 * 1000):
        address.visit()
    counts = [len(served) for host, served in address.served.items() if host != 500]
    assert (min(counts), max(counts)) == (2, 2 if not slow_one else 3)
