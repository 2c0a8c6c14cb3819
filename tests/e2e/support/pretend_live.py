"""The live loop on a pretend clock, with a world in place of the web: hours pass in moments."""

from __future__ import annotations

import asyncio

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


def run_live(
    controller: RequestController, truth: Truth, room: int, visits: int
) -> Log:
    tickets: list[Ticket] = []

    def request(ticket: Ticket) -> Request:
        tickets.append(ticket)
        return Request(ticket, f"http://world/{ticket.page}")

    def digest(fetched: Fetched, now_s: float) -> Observation:
        return observe(truth, fetched.ticket, now_s)

    async def live() -> None:
        fetchers = FetcherController(Fixed(room, 16), 16)
        parts = LoopParts(
            controller, fetchers, WorldFetcher(truth), request, digest, str
        )
        await Loop(parts, LiveClock(0.0), most_visits=visits).run()

    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        runner.run(live())
    return Log(
        np.array([t.issued_s for t in tickets]), np.array([t.page for t in tickets])
    )
