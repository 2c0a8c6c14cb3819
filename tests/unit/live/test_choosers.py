"""Choosers at work: one that declines is not asked in vain, and the automata run live, end to end,
in pretend time.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, GONE, HELD, Cards, Hosts
from trapline.core.links import links_to
from trapline.core.ports import Seen
from trapline.core.records import Fetched, Observation, Outcome, Request, Ticket
from trapline.core.storage import Call
from trapline.laboratory.runs.drive import drive, new_controller, observe
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy, latency, make_truth
from trapline.live.clock import LiveClock, PretendLoop
from trapline.live.loop import Loop
from trapline.live.loop_parts import LoopParts
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.refresh.automata.automaton import Automaton
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.slots.slot_chooser import may_be_visited
from trapline.policies.registry import make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.journal import Journal
from trapline.robot.replay import replay
from trapline.robot.request_controller import RequestController

both = pytest.mark.parametrize("name", ["htraa", "lakg"])


class Picky(RefreshPolicy):
    """It wants the pages of one host only, in turn; with no such host, none at all."""

    chooses = True

    def __init__(self, wanted: int = -1) -> None:
        self.wanted = wanted
        self.asks = 0

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        cards["base"][page] = 0.0
        return (page,)

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        assert cards is not None
        self.asks += 1
        assert self.asks < 10_000, "asked in vain, again and again"
        for page in np.argsort(cards["last"], kind="stable").tolist():
            if cards["host"][page] == self.wanted and may_be_visited(
                cards, hosts, page
            ):
                return int(page)
        return -1


def two_hosts(gap_s: float = 0.0) -> Truth:
    """Five pages on a host that asks for no gap, five on one that may; answers take no time."""
    return make_truth(
        host=np.repeat(np.arange(2, dtype=np.int32), 5),
        rate=np.full(10, 0.01),
        gap_s=np.array([0.0, gap_s]),
    )


def controller_of(
    truth: Truth, refresh: Any, seeds: list[int], budget: Budget | None = None
) -> RequestController:
    return new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=budget or Budget(),
        seeds=seeds,
    )


@dataclass
class Live:
    """The live loop with a world in place of the web; notes what it fetched and when each host was
    free again.
    """

    truth: Truth
    tickets: list[Ticket] = field(default_factory=list)
    free_s: dict[int, float] = field(default_factory=dict)
    under_way: set[int] = field(default_factory=set)

    async def fetch(self, request: Request) -> Fetched:
        ticket = request.ticket
        now = asyncio.get_running_loop().time
        assert ticket.host not in self.under_way, "two visits at once to a host"
        assert now() >= self.free_s.get(ticket.host, -math.inf), "host hurried"
        self.under_way.add(ticket.host)
        mean_s = float(self.truth.latency_s[ticket.host])
        seed = int(self.truth.seed[0])
        await asyncio.sleep(latency(mean_s, seed, ticket.page, ticket.number))
        self.under_way.remove(ticket.host)
        self.free_s[ticket.host] = now() + float(self.truth.gap_s[ticket.host])
        return Fetched(ticket, request.url, now(), status=200)

    async def locate(self, host_name: str) -> str | None:
        return host_name

    def run(self, controller: Any, room: int = 4, visits: float = math.inf) -> float:
        """Returns the pretend seconds that passed."""

        def request(ticket: Ticket) -> Request:
            self.tickets.append(ticket)
            return Request(ticket, f"http://world/{ticket.page}")

        def digest(fetched: Fetched, now_s: float) -> Observation:
            return observe(self.truth, fetched.ticket, now_s)

        async def live() -> None:
            fetchers = FetcherController(Fixed(room, 16), 16)
            parts = LoopParts(controller, fetchers, self, request, digest, str)
            loop = Loop(parts, LiveClock(0.0), most_visits=visits)
            broken: list[BaseException] = []

            def stop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
                broken.append(context["exception"])
                loop.stop()

            asyncio.get_running_loop().set_exception_handler(stop)
            await loop.run()
            if broken:
                raise broken[0]

        with asyncio.Runner(loop_factory=PretendLoop) as runner:
            runner.run(live())
            return runner.get_loop().time()


# one that declines


@pytest.mark.parametrize("room", [1, 4])
def test_where_nobody_is_wanted_the_laboratory_and_the_robot_come_to_an_end(
    room: int,
) -> None:
    """All pages are read once, though hosts with open offers stand idle; then there is nothing to
    wait for.
    """
    by_object = Picky()
    live = Picky()
    truth = two_hosts(gap_s=3.0)
    log = drive(
        controller_of(truth, by_object, list(range(10))), truth, room=room, visits=100
    )
    assert sorted(log.page.tolist()) == list(range(10))
    there = Live(fresh_copy(truth))
    assert (
        there.run(controller_of(there.truth, live, list(range(10))), room) == 15.0
    )  # when the last host owes nothing any more
    assert [ticket.page for ticket in there.tickets] == log.page.tolist()
    assert max(by_object.asks, live.asks) <= 50


def test_it_is_asked_again_when_something_has_happened_not_before() -> None:
    """One host is idle all the time and not wanted; the other is, and owes a minute: two asks a
    visit or so.
    """
    by_object = Picky(wanted=1)
    live = Picky(wanted=1)
    truth = two_hosts(gap_s=60.0)
    log = drive(
        controller_of(truth, by_object, list(range(10))), truth, room=2, visits=200
    )
    assert len(log.page) == 200
    visits = np.bincount(log.page, minlength=10).tolist()
    assert visits[:5] == [1] * 5
    assert min(visits[5:]) >= 38
    # six are bought at the start, then one a minute
    assert log.issued_s[-1] == 60.0 * 194
    there = Live(fresh_copy(truth))
    there.run(controller_of(there.truth, live, list(range(10))), room=2, visits=200)
    assert [ticket.page for ticket in there.tickets] == log.page.tolist()
    assert [ticket.issued_s for ticket in there.tickets] == log.issued_s.tolist()
    for chooser in (by_object, live):  # every millisecond would be eleven million
        assert chooser.asks <= 5 * 200


def test_pages_of_the_fringe_are_visited_whatever_the_chooser_wants() -> None:
    web = LinkedWeb.generate(
        pages=80, hosts=4, seed=2, shape=Shape(gap_s=1.0, latency_s=0.2, born_share=0.0)
    )
    there = Live(fresh_copy(web.truth))
    chooser = Picky()
    controller = controller_of(
        there.truth, chooser, web.seeds, Budget(per_s=3.0, discovery_share=0.1)
    )
    there.run(controller)
    assert controller.agenda.count(FRINGE) == 0
    assert controller.agenda.count(HELD) > 60
    assert len(there.tickets) == len({ticket.page for ticket in there.tickets})
    assert chooser.asks <= 10 * len(there.tickets)


def test_declining_does_not_outlast_the_next_ask() -> None:
    """A page that comes to the fringe, or a change of mind, counts at once."""
    chooser = Picky()
    controller = controller_of(two_hosts(), chooser, [0])
    [ticket] = controller.issue(0.0, 4)
    controller.land(ticket, 1.0)
    controller.settle(Observation(ticket, Outcome.OK, True, 1.0), 1.0)
    assert controller.issue(1.0, 4) == []
    assert controller.next_time() == math.inf
    controller.admit(links_to([5], [1]), 2.0)
    assert controller.next_time() <= 2.0
    [other] = controller.issue(2.0, 4)
    assert other.page == 5
    chooser.wanted = 0
    [again] = controller.issue(3.0, 1)
    assert again.page == 0


# the automata


def held_by(name: str, pages: int, few: int) -> tuple[RequestController, float]:
    """All held: most pages on host 0, a few on host 1, which asks for a second between visits."""
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=make_refresh_policy(name, {"seed": 3}),
        budget=Budget(discovery_share=1.0),
    )
    controller.add_own_host(0.0)
    controller.add_own_host(1.0)
    everything = np.arange(pages + few)
    controller.admit(links_to(everything, (everything >= pages).astype(np.int32)), 0.0)
    now_s = 0.0
    while controller.agenda.count(FRINGE):
        for ticket in controller.issue(now_s, 2):
            controller.land(ticket, now_s)
            controller.settle(Observation(ticket, Outcome.OK, False, 1.0), now_s)
        now_s += 1.0
    return controller, now_s


def shut(controller: RequestController, now_s: float, how: str) -> None:
    """Host 0 may not be visited any more: blocked, or for a day."""
    if how == "blocked":
        controller.locate(0, None, now_s)
        return
    while True:
        for ticket in controller.issue(now_s, 1):
            controller.land(ticket, now_s)
            away = ticket.host == 0
            found = Observation(
                ticket,
                Outcome.UNCHANGED,
                False,
                1.0,
                retry_after_s=86_400.0 if away else 0.0,
            )
            controller.settle(found, now_s)
            if away:
                return


@both
@pytest.mark.parametrize("how", ["blocked", "for a day"])
def test_a_host_that_is_ready_does_not_stand_idle_because_most_pages_are_elsewhere(
    name: str, how: str
) -> None:
    """Sixty-four turns find none of the few among the many: the robot must neither end nor wait for
    the day to pass.
    """
    controller, now_s = held_by(name, pages=600, few=4)
    shut(controller, now_s, how)
    begun_s = now_s
    seen = [0] * 604
    for _ in range(400):
        now_s = max(now_s, controller.next_time())
        for ticket in controller.issue(now_s, 2):
            seen[ticket.page] += 1
            controller.land(ticket, now_s)
            controller.settle(Observation(ticket, Outcome.UNCHANGED, False, 1.0), now_s)
    assert sum(seen[600:]) >= now_s - begun_s  # a visit a second
    assert sum(seen[600:]) >= 300
    assert min(seen[600:]) >= 40


WEB = LinkedWeb.generate(
    pages=400,
    hosts=8,
    seed=7,
    shape=Shape(gap_s=0.2, latency_s=0.1, life_s=300.0, born_share=0.3, dies_share=0.2),
)


def automaton_for(name: str) -> RequestController:
    refresh = make_refresh_policy(name, {"seed": 3})
    return controller_of(WEB.truth, refresh, WEB.seeds, Budget(per_s=4.0))


@dataclass
class Kept:
    """What a store would have after a kill: a checkpoint, and the calls since."""

    controller: RequestController
    checkpoint_at: int
    calls: list[Call] = field(default_factory=list)
    checkpoint: dict[str, NDArray[np.generic]] = field(default_factory=dict)

    def record(self, call: Call) -> None:
        self.calls.append(call)
        if call.number == self.checkpoint_at:
            self.checkpoint = {
                key: np.array(array) for key, array in self.controller.save().items()
            }

    def brought_back(self, name: str) -> RequestController:
        restored = automaton_for(name)
        restored.load(self.checkpoint)
        replay(restored, self.calls[self.checkpoint_at :])
        return restored


def automaton_of(controller: RequestController) -> Automaton:
    assert isinstance(controller.refresh, Automaton)
    return controller.refresh


def bits(policy: Automaton) -> dict[str, bytes]:
    return {key: np.asarray(array).tobytes() for key, array in policy.state().items()}


@both
def test_an_automaton_runs_live_from_the_first_page_to_a_kill_and_on(name: str) -> None:
    there = Live(fresh_copy(WEB.truth))
    controller = automaton_for(name)
    kept = Kept(controller, checkpoint_at=5000)
    took_s = there.run(Journal(controller, kept.record), room=6, visits=8000)
    assert took_s > 1900.0  # all births and deaths are over
    cards = controller.agenda.cards
    policy = automaton_of(controller)
    held = np.flatnonzero(cards["state"] == HELD)
    gone = np.flatnonzero(cards["state"] == GONE)
    assert len(held) > 256
    assert len(gone) > 50

    visits = np.bincount(
        [ticket.page for ticket in there.tickets], minlength=len(cards)
    )
    assert visits[held].min() >= 3, "every held page is polled again and again"

    late = held[WEB.truth.born_s[held] > 100.0]
    assert len(late) > 30
    assert all(policy.seats.leaf_of(page) >= 0 for page in held.tolist()), (
        "also those born later have leaves"
    )
    assert len(policy.shares()) == 512
    assert all(policy.seats.leaf_of(page) == -1 for page in gone.tolist())
    assert policy.seats.taken == len(held)
    assert policy.shares().sum() == pytest.approx(1.0)

    restored = kept.brought_back(name)
    assert bits(automaton_of(restored)) == bits(policy)
    start_s = controller.now_s
    futures = []
    for one in (controller, restored):
        one.take_back_all(start_s)
        truth = there.truth._replace(pages=there.truth.pages.copy())
        futures.append(drive(one, truth, room=6, visits=500, start_s=start_s))
    assert len(futures[0].page) == 500
    assert futures[0].page.tolist() == futures[1].page.tolist()
    assert futures[0].issued_s.tolist() == futures[1].issued_s.tolist()
