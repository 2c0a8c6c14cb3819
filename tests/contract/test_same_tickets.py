"""The live loop on a pretend clock, the laboratory's object path and its compiled path issue the
same tickets.
"""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from trapline.core.records import Fetched, Observation, Request, Ticket
from trapline.laboratory.runs.compiled import run_compiled
from trapline.laboratory.runs.drive import Log, drive, new_controller, observe
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy, latency
from trapline.live.clock import LiveClock, PretendLoop
from trapline.live.loop import Loop
from trapline.live.loop_parts import LoopParts
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.refresh.refresh_policy import KnownPages, RefreshPolicy
from trapline.policies.registry import policy_names, refresh_class
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.request_controller import RequestController

VISITS = 10_000
WEB = LinkedWeb.generate(
    pages=2_000, hosts=40, seed=5, shape=Shape(gap_s=1.0, latency_s=0.3)
)


def example_of(name: str, truth: Truth) -> RefreshPolicy:
    """Told what the world knows; a policy that chooses and runs live, as it runs there."""
    found = refresh_class(name)
    if found.chooses:
        return found()
    probabilities = -np.expm1(-truth.rate)
    return found.example(KnownPages(probabilities, truth.relevance + 0.01))


COMPILED = [
    name
    for name in policy_names("refresh")
    if refresh_class(name).compiles and not refresh_class(name).chooses
]
CHOOSERS = [
    name
    for name in policy_names("refresh")
    if refresh_class(name).chooses and not refresh_class(name).laboratory_only
]


def controller_for(name: str, truth: Truth) -> RequestController:
    return new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=example_of(name, truth),
        budget=Budget(per_s=8.0, discovery_share=0.3),
        seeds=WEB.seeds,
    )


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


def run_live(name: str, truth: Truth, room: int, visits: int = VISITS) -> Log:
    tickets: list[Ticket] = []

    def request(ticket: Ticket) -> Request:
        tickets.append(ticket)
        return Request(ticket, f"http://world/{ticket.page}")

    def digest(fetched: Fetched, now_s: float) -> Observation:
        return observe(truth, fetched.ticket, now_s)

    async def live() -> None:
        fetchers = FetcherController(Fixed(room, 16), 16)
        parts = LoopParts(
            controller_for(name, truth),
            fetchers,
            WorldFetcher(truth),
            request,
            digest,
            str,
        )
        await Loop(parts, LiveClock(0.0), most_visits=visits).run()

    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        runner.run(live())
    return Log(
        np.array([t.issued_s for t in tickets]), np.array([t.page for t in tickets])
    )


@pytest.mark.parametrize("room", [1, 16])
@pytest.mark.parametrize("name", COMPILED)
def test_three_paths_one_sequence(name: str, room: int) -> None:
    worlds = [fresh_copy(WEB.truth) for _ in range(3)]
    by_object = drive(
        controller_for(name, worlds[0]), worlds[0], room=room, visits=VISITS
    )
    compiled = run_compiled(
        controller_for(name, worlds[1]), worlds[1], room=room, visits=VISITS
    )
    live = run_live(name, worlds[2], room)
    assert len(by_object.page) == VISITS
    for other in (compiled, live):
        np.testing.assert_array_equal(by_object.issued_s, other.issued_s)
        np.testing.assert_array_equal(by_object.page, other.page)


@pytest.mark.parametrize("room", [1, 16])
@pytest.mark.parametrize("name", CHOOSERS)
def test_choosers_choose_alike_live_and_in_the_laboratory(name: str, room: int) -> None:
    visits = 4_000
    worlds = [fresh_copy(WEB.truth) for _ in range(2)]
    by_object = drive(
        controller_for(name, worlds[0]), worlds[0], room=room, visits=visits
    )
    live = run_live(name, worlds[1], room, visits)
    assert len(by_object.page) == visits
    np.testing.assert_array_equal(by_object.issued_s, live.issued_s)
    np.testing.assert_array_equal(by_object.page, live.page)
