"""The live loop on a pretend clock, with a world in place of the web: hours pass in moments."""

from __future__ import annotations

import asyncio

import numpy as np

from trapline.core.records import Fetched, Observation, Request, Ticket
from trapline.laboratory.runs.drive import Log, observe
from trapline.laboratory.worlds.truth import Truth, latency
from trapline.live.clock import LiveClock, PretendLoop
from trapline.live.loop import Loop
from trapline.live.loop_parts import LoopParts
from trapline.policies.fetchers.fixed import Fixed
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.request_controller import RequestController


class WorldFetcher:
    """The world in place of the web: an answer after the world's latency, on the
    loop's own clock.
    """

    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    async def fetch(self, request: Request) -> Fetched:
        ticket = request.ticket
        mean_s = float(self.truth.latency_s[ticket.host])
        seed = int(self.truth.seed[0])
        await asyncio.sleep(latency(mean_s, seed, ticket.page, ticket.number))
        return Fetched(
            ticket, request.url, asyncio.get_running_loop().time(), status=200
        )

    async def locate(self, host_name: str) -> str | None:
        return host_name


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
