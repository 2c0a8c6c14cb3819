"""Many hosts, for bench/speed.py: does the loop keep their pace? `python speed_hosts.py
pretend|robot|bare …` → JSON.

pretend   10,000 hosts, each owed 1 s from the end of one visit to the beginning of the next, in
pretend time. A visit
          takes 10 to 30 ms, so each host can be visited every 1.02 s and 9,804 visits a second can
          be made at most (at 50 ms not even 95 % of 10,000). 400 fetchers. `per_s` is hosts by the
          mean time from one visit of a host to the next. `lag`: how long after it was ready a host
          was visited; growing lag = the loop falls behind. The first second is another matter: all
          hosts are ready at once.
robot     the very loop, request controller and HTTP fetcher, over real HTTP, no gaps, answers
          thrown away.
bare      aiohttp and nothing else, asking for the same URLs with as many workers.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable
from statistics import fmean
from typing import Final

import numpy as np

from speed_crawlers import cpu_s  # type: ignore[import-not-found]  # it stands beside this file

GAP_S: Final = 1.0
LATENCY_S: Final = (0.01, 0.03)
FETCHERS: Final = 400  # 20,000 visits a second could be under way
WORKERS: Final = 64


def pretend(hosts: int, seconds: int) -> None:
    from trapline.core.records import Fetched, Observation, Outcome, Request, Ticket
    from trapline.live.clock import LiveClock, PretendLoop
    from trapline.live.loop import Loop
    from trapline.live.loop_parts import LoopParts

    controller = _controller(hosts, pages=seconds + 2, gap_s=GAP_S)
    lags: list[list[float]] = [[] for _ in range(seconds + 1)]  # in each second
    first = np.full(hosts, np.inf)
    last = np.zeros(hosts)
    visits = np.zeros(hosts, np.int64)
    ready = [0.0] * hosts
    chance = random.Random(1)

    class Fetcher:
        def __init__(self, now: Callable[[], float]) -> None:
            self._now = now

        async def fetch(self, request: Request) -> Fetched:
            host = request.ticket.host
            now_s = self._now()
            visits[host] += 1
            first[host] = min(first[host], now_s)
            last[host] = now_s
            lags[int(now_s)].append(now_s - ready[host])
            await asyncio.sleep(chance.uniform(*LATENCY_S))
            ready[host] = self._now() + GAP_S
            return Fetched(request.ticket, request.url, self._now(), status=200)

        async def locate(self, host_name: str) -> str | None:
            return host_name

        async def close(self) -> None: ...

    def digest(fetched: Fetched, now_s: float) -> Observation:
        return Observation(fetched.ticket, Outcome.OK, changed=True, relevance=1.0)

    def request(ticket: Ticket) -> Request:
        return Request(ticket, "")

    async def main() -> None:
        clock = LiveClock(0.0)
        parts = LoopParts(
            controller, _Enough(FETCHERS), Fetcher(clock.now), request, digest, str
        )
        loop = Loop(parts, clock, queue_room=64)
        asyncio.get_running_loop().call_later(seconds, loop.stop)
        await loop.run()

    before_s = cpu_s()
    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        runner.run(main())
    # from one visit to a host to the next
    round_s = (last - first).sum() / (visits - 1).sum()
    figures = {
        "per_s": hosts / float(round_s),
        "lag_ms": [round(1e3 * fmean(lag), 2) for lag in lags if lag],
        "cpu_us": 1e6 * (cpu_s() - before_s) / int(visits.sum()),
    }
    print(json.dumps(figures))


def robot(origins: list[str], pages: int) -> None:
    from trapline.app.engine.memory import settle_down
    from trapline.core.records import Fetched, Observation, Outcome, Request, Ticket
    from trapline.live.clock import LiveClock
    from trapline.live.loop import Loop
    from trapline.live.loop_parts import LoopParts
    from trapline.net.http_fetcher import HttpFetcher

    controller = _controller(len(origins), pages, gap_s=0.0)
    settle_down()  # as `crawl` does

    def digest(fetched: Fetched, now_s: float) -> Observation:
        good = fetched.status == 200
        return Observation(
            fetched.ticket,
            Outcome.OK if good else Outcome.GONE,
            changed=True,
            relevance=1.0,
        )

    def request(ticket: Ticket) -> Request:
        return Request(ticket, f"{origins[ticket.host]}/?{ticket.page}")

    async def main() -> int:
        clock = LiveClock(0.0)
        fetcher = HttpFetcher("trapline-bench", lambda host, address: None, clock.now)
        loop = Loop(
            LoopParts(controller, _Enough(WORKERS), fetcher, request, digest, str),
            clock,
            queue_room=64,
        )
        try:
            await loop.run()
        finally:
            await fetcher.close()
        return loop.visits

    _tell(asyncio.run, main())


def bare(origins: list[str], pages: int) -> None:
    import aiohttp

    urls = iter([f"{origin}/?{page}" for page in range(pages) for origin in origins])

    async def main() -> int:
        made = 0
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=WORKERS)
        ) as session:

            async def work() -> None:
                nonlocal made
                for url in urls:
                    async with session.get(url) as response:
                        await response.read()
                        made += 1

            await asyncio.gather(*(work() for _ in range(WORKERS)))
        return made

    _tell(asyncio.run, main())


class _Enough:
    """So many fetchers, always."""

    def __init__(self, most: int) -> None:
        self._most = most

    def target(self, now_s: float, queue_length: int, active: int, event: str) -> int:
        return self._most


def _controller(hosts: int, pages: int, gap_s: float):  # type: ignore[no-untyped-def]
    """Hosts with so many pages each, none of them visited yet, and none to be visited twice."""
    from trapline.core.links import links_to
    from trapline.live.warm_up import warm_live
    from trapline.policies.discovery.breadth_first import BreadthFirst
    from trapline.policies.refresh.never import Never
    from trapline.robot.agenda.agenda import Budget
    from trapline.robot.request_controller import RequestController

    warm_live("breadth-first", "uniform")
    controller = RequestController(
        discovery=BreadthFirst(), refresh=Never(), budget=Budget(per_s=float("inf"))
    )
    for _ in range(hosts):
        controller.add_own_host(gap_s)
    numbers = np.arange(hosts * pages)
    controller.admit(links_to(numbers, numbers % hosts), 0.0)
    return controller


def _tell(run, work) -> None:  # type: ignore[no-untyped-def]
    before_s = cpu_s()
    began_s = time.perf_counter()
    made = run(work)
    took_s = time.perf_counter() - began_s
    print(
        json.dumps(
            {
                "visits": made,
                "per_s": made / took_s,
                "cpu_us": 1e6 * (cpu_s() - before_s) / made,
            }
        )
    )


if __name__ == "__main__":
    if sys.argv[1] == "pretend":
        pretend(int(sys.argv[2]), int(sys.argv[3]))
    else:
        {"robot": robot, "bare": bare}[sys.argv[1]](sys.argv[3:], int(sys.argv[2]))
