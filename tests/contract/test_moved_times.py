"""A clock that was set: every policy that runs live goes on as if nothing had happened."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest

from tests.contract.registered import discovery_makers, refresh_makers
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, Reception, Robots, Ticket
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

PAGES = 40
HOSTS = 4
STEP_S = 0.25
STEPS = 400
MOVED_AT = 30  # while there is a fringe
# Years, and a sum of few powers of two: differences of times come out the same, to the last bit.
YEARS_S = 2.0**28
REFRESH = {
    name: make
    for name, make in refresh_makers(PAGES).items()
    if not make().laboratory_only
}
DISCOVERY = {
    name: make
    for name, make in discovery_makers(PAGES).items()
    if not make().laboratory_only and name != "random"  # any order is as good
}


def new_controller(
    refresh: RefreshPolicy, discovery: DiscoveryPolicy
) -> RequestController:
    return RequestController(
        discovery=discovery,
        refresh=refresh,
        budget=Budget(per_s=8.0, burst=4.0),
        url=lambda page: f"http://a{page % HOSTS}/{page}",
        gap_s=lambda host, delay_s: 0.5,
    )


def first_tickets(
    controller: RequestController, start_s: float, moved_s: float = 0.0, seed: int = 1
) -> Iterator[int]:
    """Pages in the order in which they are visited; early on the clock is set by `moved_s`."""
    chance = Random(seed)
    now_s = start_s
    controller.admit(links_to([0], [0]), now_s)
    for step in range(STEPS):
        now_s += STEP_S
        if step == MOVED_AT and moved_s:
            now_s += moved_s
            controller.set_clock(now_s - STEP_S)
        for host in range(controller.hosts()):
            controller.locate(host, f"127.0.0.{host}", now_s)
        for ticket in controller.issue(now_s, 2):
            yield ticket.page
            if chance.random() < 0.9:  # others stay in flight for a while
                answer(controller, ticket, now_s, chance)
        for ticket in list(controller._in_flight):
            if chance.random() < 0.3:
                answer(controller, ticket, now_s, chance)


def answer(
    controller: RequestController, ticket: Ticket, now_s: float, chance: Random
) -> None:
    controller.land(ticket, now_s)
    if ticket.page < 0:
        robots = Robots("User-agent: *\nDisallow: /7\n", now_s + 20.0)
        controller.settle(Observation(ticket, Outcome.OK, robots=robots), now_s)
        return
    targets = [chance.randrange(PAGES) for _ in range(3)]
    links = links_to(targets, [target % HOSTS for target in targets])
    links["anchor"] = np.array([chance.random() for _ in targets])
    reception = chance.choice([Reception.FINE] * 9 + [Reception.REFUSED])
    refused = reception is Reception.REFUSED
    controller.settle(
        Observation(
            ticket,
            Outcome.FAILED if refused else Outcome.OK,
            changed=chance.random() < 0.5,
            relevance=chance.randrange(8) / 8.0,
            links=links[:0] if refused else links,
            reception=reception,
        ),
        now_s,
    )


@pytest.mark.parametrize("by_s", [YEARS_S, -YEARS_S], ids=["ahead", "back"])
@pytest.mark.parametrize("name", REFRESH)
def test_a_refresh_policy_goes_on(name: str, by_s: float) -> None:
    compare(lambda: new_controller(REFRESH[name](), BreadthFirst()), by_s)


@pytest.mark.parametrize("by_s", [YEARS_S, -YEARS_S], ids=["ahead", "back"])
@pytest.mark.parametrize("name", DISCOVERY)
def test_a_discovery_policy_goes_on(name: str, by_s: float) -> None:
    compare(lambda: new_controller(Uniform(), DISCOVERY[name]()), by_s)


def compare(make: Callable[[], RequestController], by_s: float) -> None:
    # where all times are multiples of the same power of two, before and after
    start_s = 2.0 * YEARS_S
    undisturbed = make()
    expected = list(first_tickets(undisturbed, start_s))
    assert len([page for page in expected if page >= 0]) > 30
    moved = make()
    assert list(first_tickets(moved, start_s, by_s)) == expected
    assert math.isclose(moved.now_s - by_s, undisturbed.now_s)


def test_a_controller_that_has_not_begun_has_no_times() -> None:
    controller = new_controller(Uniform(), BreadthFirst())
    controller.set_clock(1000.0)
    assert controller.now_s == -math.inf


def test_visits_under_way_are_answered_for_after_a_sleep() -> None:
    controller = new_controller(Uniform(), BreadthFirst())
    controller.admit(links_to([0], [0]), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    [ticket] = controller.issue(1.0, 1)
    night_s = 8 * 3600.0
    controller.wake_up(night_s)
    assert controller.expire(night_s) == []
    controller.land(ticket, night_s + 1.0)
    controller.settle(
        Observation(ticket, Outcome.OK, robots=Robots("", night_s + 99.0)),
        night_s + 1.0,
    )
    assert controller.issue(night_s + 1.4, 1) == [], "its gap counts from the end"
    assert [one.page for one in controller.issue(night_s + 1.5, 1)] == [0]
