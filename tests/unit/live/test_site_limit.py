"""A site that allows 7 requests a second, our own host with gap 0, the very live loop, ten minutes
of pretend time.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

import pytest

from tests.unit.live.test_loop import in_pretend_time
from tests.unit.politeness.test_learnt_pace import LIMIT, SITES, Site
from trapline.core.links import links_to
from trapline.core.records import Fetched, Observation, Outcome, Reception, Request
from trapline.live.clock import LiveClock
from trapline.live.loop import Loop
from trapline.live.loop_parts import LoopParts
from trapline.policies.discovery.value import Value
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.request_controller import RequestController

SECONDS = 600.0


@dataclass
class LimitedSite:
    site: Site
    log: list[tuple[float, bool]] = field(default_factory=list)

    async def fetch(self, request: Request) -> Fetched:
        now = asyncio.get_running_loop().time
        accepted = self.site.accepts(now())
        self.log.append((now(), accepted))
        await asyncio.sleep(0.005)
        return Fetched(
            request.ticket, request.url, now(), status=200 if accepted else 429
        )

    async def locate(self, host_name: str) -> str | None:
        return host_name


def digest(fetched: Fetched, now_s: float) -> Observation:
    if fetched.status == 429:
        return Observation(fetched.ticket, Outcome.FAILED, reception=Reception.REFUSED)
    return Observation(fetched.ticket, Outcome.OK, changed=True, relevance=0.5)


def own_host() -> RequestController:
    controller = RequestController(
        discovery=Value(),
        refresh=AdaptiveWhittle(),
        budget=Budget(),
        gap_s=lambda host, delay_s: 0.0,
    )
    controller.admit(links_to(range(50), [0] * 50), 0.0)
    controller.agenda.hosts["rules_until"][0] = math.inf
    controller.locate(0, "127.0.0.1", 0.0)
    return controller


@pytest.mark.parametrize("name", ["any second", "one after the other", "bucket"])
def test_the_rate_settles_at_the_limit_and_stays_there(name: str) -> None:
    fetcher = LimitedSite(SITES[name]())

    async def live() -> None:
        parts = LoopParts(
            own_host(),
            FetcherController(Fixed(4, 64), 64),
            fetcher,
            lambda t: Request(t, f"http://own/{t.page}"),
            digest,
            "h{}".format,
        )
        loop = Loop(parts, LiveClock(0.0))
        asyncio.get_running_loop().call_later(SECONDS, loop.stop)
        await loop.run()

    in_pretend_time(live())
    for begin_s, end_s in ((60.0, 330.0), (330.0, SECONDS)):
        settled = [
            accepted for now_s, accepted in fetcher.log if begin_s <= now_s < end_s
        ]
        assert 0.8 * LIMIT <= sum(settled) / (end_s - begin_s) <= LIMIT
        assert settled.count(False) < 0.01 * len(settled)
