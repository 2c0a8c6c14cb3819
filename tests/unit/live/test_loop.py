"""The live loop in pretend time, with scripted fetchers and digests: what is bounded, what is kept,
how it ends.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest

from trapline.core.links import Links, links_to
from trapline.core.records import (
    Fetched,
    Kind,
    Observation,
    Outcome,
    Request,
    Robots,
    Ticket,
)
from trapline.live.clock import LiveClock, PretendLoop
from trapline.live.loop import Loop
from trapline.live.loop_parts import FetcherCount, LoopParts
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import Event, FetcherController
from trapline.robot.request_controller import Limits, RequestController

Digest = Callable[[Fetched, float], Observation]


def in_pretend_time(work: Coroutine[Any, Any, None]) -> float:
    """Run to the end; returns the pretend seconds that passed."""
    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        runner.run(work)
        return runner.get_loop().time()


@dataclass
class ScriptedFetcher:
    """Each visit lasts `latency_s` or what the script says for the page; it notes who is under way
    and who was.
    """

    latency_s: float = 1.0
    slow: dict[int, float] = field(default_factory=dict)  # of a page's first visit
    addresses: dict[str, str | None] = field(default_factory=dict)
    failing: frozenset[int] = frozenset()
    begun: list[tuple[float, int]] = field(default_factory=list)  # (when, page)
    located: list[str] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    async def fetch(self, request: Request) -> Fetched:
        ticket = request.ticket
        now = asyncio.get_running_loop().time
        self.begun.append((now(), ticket.page))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await asyncio.sleep(self.slow.pop(ticket.page, self.latency_s))
        finally:
            self.under_way -= 1
        if ticket.page in self.failing:
            raise RuntimeError("the fetcher broke")
        return Fetched(ticket, request.url, now(), status=200)

    async def locate(self, host_name: str) -> str | None:
        self.located.append(host_name)
        await asyncio.sleep(0.25)
        return self.addresses.get(host_name, host_name)

    @property
    def pages(self) -> list[int]:
        return [page for _, page in self.begun]


def once(fetched: Fetched, now_s: float) -> Observation:
    """Every page is read once and never again."""
    if fetched.ticket.kind is Kind.ROBOTS:
        return Observation(fetched.ticket, Outcome.OK, robots=Robots("", math.inf))
    return Observation(fetched.ticket, Outcome.GONE)


def own_hosts(
    hosts: int, pages: int, gap_s: float = 0.0, lease_s: float = 300.0
) -> RequestController:
    """Pages on hosts in turn; no robots.txt, no locating."""
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(),
        limits=Limits(lease_s=lease_s),
    )
    for _ in range(hosts):
        controller.add_own_host(gap_s)
    controller.admit(
        links_to(range(pages), [page % hosts for page in range(pages)]), 0.0
    )
    return controller


def met_hosts(links: Links) -> RequestController:
    """Hosts that are met through links: to be located, and asked for robots.txt."""
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(),
        gap_s=lambda host, delay_s: 1.0,
    )
    controller.admit(links, 0.0)
    return controller


def parts(
    controller: RequestController,
    fetcher: ScriptedFetcher,
    digest: Digest = once,
    count: int | FetcherCount = 4,
) -> LoopParts:
    fetchers = (
        FetcherController(Fixed(count, 64), 64) if isinstance(count, int) else count
    )
    return LoopParts(
        controller,
        fetchers,
        fetcher,
        lambda t: Request(t, f"http://world/{t.page}"),
        digest,
        "h{}".format,
    )


def tickets(controller: RequestController) -> int:
    """How many were issued."""
    return int(controller.save()["flight.number"][0])


async def live_loop(
    controller: RequestController,
    fetcher: ScriptedFetcher,
    digest: Digest = once,
    most_visits: float = math.inf,
) -> None:
    await Loop(
        parts(controller, fetcher, digest), LiveClock(0.0), most_visits=most_visits
    ).run()


def test_it_finishes_by_itself_when_nothing_is_left() -> None:
    fetcher = ScriptedFetcher(latency_s=0.5)

    async def live() -> None:
        loop = Loop(parts(own_hosts(2, 6, gap_s=2.0), fetcher), LiveClock(0.0))
        await loop.run()
        assert (loop.visits, loop.active, loop.queue_length) == (6, 0, 0)

    # three visits to each host: 0.5 + 2 + 0.5 + 2 + 0.5
    assert in_pretend_time(live()) == 5.5
    assert fetcher.begun == [(0.0, 0), (0.0, 1), (2.5, 2), (2.5, 3), (5.0, 4), (5.0, 5)]


def test_with_nothing_to_do_it_is_over_at_once() -> None:
    assert in_pretend_time(live_loop(own_hosts(1, 0), ScriptedFetcher())) == 0.0


@pytest.mark.parametrize("queue_room", [1, 5])
def test_a_full_queue_pauses_fetching_and_loses_nothing(queue_room: int) -> None:
    """Fifty set out at once and come home at one instant: what finds no place is held, nobody sets
    out meanwhile.
    """
    fetcher = ScriptedFetcher()
    digested: list[int] = []
    longest = most_blocked = 0

    async def live() -> None:
        def digest(fetched: Fetched, now_s: float) -> Observation:
            nonlocal longest, most_blocked
            longest = max(longest, loop.queue_length)
            most_blocked = max(most_blocked, loop.blocked)
            assert not (loop.blocked and loop.queue_length < queue_room)
            digested.append(fetched.ticket.page)
            return once(fetched, now_s)

        loop = Loop(
            parts(own_hosts(120, 120), fetcher, digest, count=50),
            LiveClock(0.0),
            queue_room=queue_room,
        )
        await loop.run()

    assert in_pretend_time(live()) == 3.0  # fifty, fifty, twenty: each a second
    assert longest == queue_room
    assert most_blocked == 50 - queue_room
    assert fetcher.most_under_way == 50
    assert sorted(digested) == sorted(fetcher.pages) == list(range(120))


def test_answers_are_read_in_the_order_of_arrival() -> None:
    digested: list[int] = []
    fetcher = ScriptedFetcher(slow={0: 3.0, 1: 1.0, 2: 2.0, 3: 1.0})

    def digest(fetched: Fetched, now_s: float) -> Observation:
        assert now_s == fetched.ended_s
        digested.append(fetched.ticket.page)
        return once(fetched, now_s)

    in_pretend_time(live_loop(own_hosts(4, 4), fetcher, digest))
    assert digested == [1, 3, 2, 0]


def test_a_failing_digest_is_raised_out_of_run() -> None:
    fetcher = ScriptedFetcher(slow={1: 50.0})
    controller = own_hosts(3, 30)

    def digest(fetched: Fetched, now_s: float) -> Observation:
        if fetched.ticket.page == 5:
            raise ValueError("a document that breaks us")
        return once(fetched, now_s)

    async def live() -> None:
        with pytest.raises(ValueError, match="breaks us"):
            await Loop(parts(controller, fetcher, digest), LiveClock(0.0)).run()
        assert len(asyncio.all_tasks()) == 1  # nobody is left behind

    assert in_pretend_time(live()) < 50.0
    assert fetcher.under_way == 0
    assert 5 < max(fetcher.pages) < 30


def test_a_failing_fetcher_is_raised_out_of_run() -> None:
    fetcher = ScriptedFetcher(failing=frozenset({3}))

    async def live() -> None:
        with pytest.raises(RuntimeError, match="the fetcher broke"):
            await Loop(parts(own_hosts(2, 30), fetcher), LiveClock(0.0)).run()
        assert len(asyncio.all_tasks()) == 1

    in_pretend_time(live())
    assert max(fetcher.pages) < 30


@pytest.mark.parametrize("how", ["stop", "cancel"])
def test_at_the_end_what_has_arrived_is_processed_and_what_is_under_way_dropped(
    how: str,
) -> None:
    """`stop`, or the cancelling of the task (Ctrl-C): no ticket is asked for after it."""
    fetcher = ScriptedFetcher(slow={3: 50.0})
    controller = own_hosts(12, 4)
    digested: list[int] = []
    issued: list[int] = []

    async def live() -> None:
        def digest(fetched: Fetched, now_s: float) -> Observation:
            digested.append(fetched.ticket.page)
            issued.append(tickets(controller))
            assert loop.queue_length == 4 - len(digested)
            if len(digested) == 1:
                loop.stop() if how == "stop" else running.cancel()
            # on an idle host: it could be visited at once
            page = fetched.ticket.page + 4
            return Observation(
                fetched.ticket, Outcome.MOVED, links=links_to([page], [page])
            )

        loop = Loop(parts(controller, fetcher, digest, count=12), LiveClock(0.0))
        running = asyncio.ensure_future(loop.run())
        if how == "stop":
            await running
        else:
            with pytest.raises(asyncio.CancelledError):
                await running
        assert loop.queue_length == 0
        assert len(asyncio.all_tasks()) == 1

    assert in_pretend_time(live()) == 1.0
    assert sorted(digested) == [0, 1, 2]
    # dropped, not settled: the next run takes it back
    assert controller.in_flight(3) is not None
    if how == "stop":
        assert tickets(controller) == issued[0] == 4
    else:  # the cancelled task hears of it one turn later
        assert tickets(controller) == issued[1]


def test_after_stop_no_host_is_looked_up_any_more() -> None:
    """Also not for the answers that are read after it."""
    controller = met_hosts(links_to([0, 1], [0, 1]))
    fetcher = ScriptedFetcher()

    async def live() -> None:
        def digest(fetched: Fetched, now_s: float) -> Observation:
            if fetched.ticket.kind is Kind.ROBOTS:
                return once(fetched, now_s)
            loop.stop()
            new = 2 + fetched.ticket.page
            return Observation(
                fetched.ticket, Outcome.OK, True, 0.5, links_to([new], [new])
            )

        loop = Loop(parts(controller, fetcher, digest), LiveClock(0.0))
        await loop.run(unlocated=[0, 1])
        assert len(asyncio.all_tasks()) == 1

    in_pretend_time(live())
    assert fetcher.located == ["h0", "h1"]
    assert controller.hosts() == 4  # but they are known


@pytest.mark.parametrize("most", [1, 7, 20])
def test_most_visits_is_respected_and_robots_txt_does_not_count(most: int) -> None:
    controller = met_hosts(links_to(range(100), [page % 5 for page in range(100)]))
    fetcher = ScriptedFetcher()
    digested: list[int] = []

    async def live() -> None:
        def digest(fetched: Fetched, now_s: float) -> Observation:
            digested.append(fetched.ticket.page)
            if fetched.ticket.kind is Kind.ROBOTS:
                return once(fetched, now_s)
            # held: there would be no end of it
            return Observation(fetched.ticket, Outcome.OK, True, 0.5)

        loop = Loop(
            parts(controller, fetcher, digest, count=8),
            LiveClock(0.0),
            most_visits=most,
        )
        await loop.run(unlocated=range(5))
        assert loop.visits == most

    in_pretend_time(live())
    assert sum(page >= 0 for page in fetcher.pages) == most
    assert sum(page >= 0 for page in digested) == most


def test_new_hosts_are_located_once_each_and_none_blocks() -> None:
    controller = met_hosts(links_to([0, 1], [0, 1]))
    fetcher = ScriptedFetcher(latency_s=0.5, addresses={"h1": None, "h3": None})

    def digest(fetched: Fetched, now_s: float) -> Observation:
        if fetched.ticket.page == 0:
            return Observation(
                fetched.ticket, Outcome.MOVED, links=links_to([2, 3, 4], [2, 3, 4])
            )
        return once(fetched, now_s)

    async def live() -> None:
        await Loop(parts(controller, fetcher, digest), LiveClock(0.0)).run(
            unlocated=[0, 1]
        )

    in_pretend_time(live())
    assert fetcher.located == ["h0", "h1", "h2", "h3", "h4"]
    assert sorted(page for page in fetcher.pages if page >= 0) == [0, 2, 4]
    # not before its address was known, and robots.txt first
    assert fetcher.begun[0] == (0.25, -1)


def test_hosts_that_are_met_before_the_loop_runs_are_located() -> None:
    """By an order, or a letter of another shard, while all is saved first."""
    controller = met_hosts(links_to([], []))
    fetcher = ScriptedFetcher()

    async def live() -> None:
        loop = Loop(parts(controller, fetcher), LiveClock(0.0))
        controller.admit(links_to([0, 1], [0, 1]), 0.0)
        loop.heed_orders()
        await loop.run(unlocated=[])

    in_pretend_time(live())
    assert fetcher.located == ["h0", "h1"]
    assert sorted(page for page in fetcher.pages if page >= 0) == [0, 1]


def test_hosts_on_one_address_are_visited_in_turn() -> None:
    controller = met_hosts(links_to([0, 1], [0, 1]))
    fetcher = ScriptedFetcher(
        latency_s=0.5, addresses={"h0": "127.0.0.9", "h1": "127.0.0.9"}
    )

    async def live() -> None:
        await Loop(parts(controller, fetcher), LiveClock(0.0)).run(unlocated=[0, 1])

    in_pretend_time(live())
    times = [when for when, _ in fetcher.begun]
    assert times == [0.25, 1.75, 3.25, 4.75]  # 0.5 s each and a gap of 1 s between them
    assert fetcher.most_under_way == 1


def test_a_fetch_that_hangs_is_given_up_and_its_page_visited_again() -> None:
    controller = own_hosts(1, 1, gap_s=2.0, lease_s=30.0)
    fetcher = ScriptedFetcher(slow={0: 500.0})
    digested: list[float] = []

    def digest(fetched: Fetched, now_s: float) -> Observation:
        digested.append(now_s)
        return once(fetched, now_s)

    in_pretend_time(live_loop(controller, fetcher, digest))
    assert fetcher.begun == [(0.0, 0), (32.0, 0)]  # the lease, then the gap
    # the late answer is still read; the controller learns nothing from it
    assert digested == [33.0, 500.0]


def test_the_fetcher_controller_is_asked_at_arrivals_departures_and_ticks() -> None:
    events: list[tuple[Event, int, int]] = []

    class OneAtATime:
        def target(
            self, now_s: float, queue_length: int, active: int, event: Event
        ) -> int:
            events.append((event, queue_length, active))
            return 1

    fetcher = ScriptedFetcher()

    async def live() -> None:
        await Loop(
            parts(own_hosts(5, 5), fetcher, count=OneAtATime()), LiveClock(0.0)
        ).run()

    assert in_pretend_time(live()) == 5.0
    assert fetcher.most_under_way == 1
    assert ("arrival", 1, 0) in events
    assert {event for event, _, _ in events} == {"arrival", "departure", "tick"}


def test_the_live_clock_begins_where_it_is_told_and_calls_in_time() -> None:
    called: list[float] = []

    async def live() -> None:
        await asyncio.sleep(3.0)
        clock = LiveClock(1e9)
        assert clock.now() == 1e9
        clock.call_at(1e9 + 5.0, lambda: called.append(clock.now()))
        await asyncio.sleep(4.0)
        assert clock.now() == 1e9 + 4.0
        await asyncio.sleep(4.0)

    assert in_pretend_time(live()) == 11.0
    assert called == [1e9 + 5.0]


def test_tickets_of_a_saved_run_are_not_started_again_by_the_loop() -> None:
    """The loop starts what `issue` hands out, nothing else: tickets in flight are the engine's to
    take back.
    """
    controller = own_hosts(2, 2)
    ticket: Ticket = controller.issue(0.0, 1)[0]
    fetcher = ScriptedFetcher()
    in_pretend_time(live_loop(controller, fetcher, most_visits=1))
    assert fetcher.pages == [1 - ticket.page]
