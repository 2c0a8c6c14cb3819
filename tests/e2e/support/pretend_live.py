"""The live loop on a pretend clock, with a world in place of the web: hours pass in moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import numpy as np

from tests.contract.test_same_tickets import WorldFetcher
from trapline.core.records import Fetched, Observation, Request, Ticket
from trapline.laboratory.runs.drive import Log, observe
from trapline.laboratory.worlds.truth import Truth
from trapline.live.clock import LiveClock, PretendLoop
from trapline.live.loop import Loop
from trapline.live.loop_parts import LoopParts
from trapline.policies.fetchers.fixed import Fixed
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.request_controller import RequestController

# what a visit finds: whose ticket, when
Find = Callable[[Ticket, float], Observation]


class SlowReader:
    """Reads one answer at a time, for so long."""

    def __init__(self, read_s: float) -> None:
        self._read_s = read_s
        self._free_s = 0.0

    def prepare(self, _: Fetched) -> asyncio.Future[None] | None:
        if self._read_s == 0.0:
            return None
        loop = asyncio.get_running_loop()
        self._free_s = max(self._free_s, loop.time()) + self._read_s
        ready: asyncio.Future[None] = loop.create_future()
        loop.call_at(self._free_s, ready.set_result, None)
        return ready


def live_tickets(
    controller: RequestController,
    truth: Truth,
    visits: int,
    *,
    fetchers: FetcherController,
    find: Find | None = None,
    read_s: float = 0.0,
) -> list[Ticket]:
    """All that were issued, in their order."""
    tickets: list[Ticket] = []

    def request(ticket: Ticket) -> Request:
        tickets.append(ticket)
        return Request(ticket, f"http://world/{ticket.page}")

    def digest(fetched: Fetched, now_s: float) -> Observation:
        if find is not None:
            return find(fetched.ticket, now_s)
        return observe(truth, fetched.ticket, now_s)

    async def live() -> None:
        parts = LoopParts(
            controller,
            fetchers,
            WorldFetcher(truth),
            request,
            digest,
            str,
            prepare=SlowReader(read_s).prepare,
            visit_prices=fetchers if fetchers.prices_visits else None,
        )
        await Loop(parts, LiveClock(0.0), most_visits=visits).run()

    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        runner.run(live())
    return tickets


def run_live(
    controller: RequestController, truth: Truth, room: int, visits: int
) -> Log:
    fetchers = FetcherController(Fixed(room, 16), 16)
    tickets = live_tickets(controller, truth, visits, fetchers=fetchers)
    return Log(
        np.array([t.issued_s for t in tickets]), np.array([t.page for t in tickets])
    )
