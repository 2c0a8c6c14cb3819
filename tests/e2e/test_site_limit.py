"""Over real HTTP: a site that answers 429 to more than 7 requests a second, listed as one's own
with gap 0; 15 s.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from pathlib import Path

from aiohttp import ClientSession, web

from trapline.app.engine.build import open_engine
from trapline.app.engine.run import run_engine
from trapline.app.settings import settings_from

LIMIT = 7
SECONDS = 15.0
JUDGED_S = 8.0
RUNS = 3


class Site:
    """Pages that link to each other without end; no more than LIMIT requests in any second,
    robots.txt included.

    /beat is there for the metronome, as often as it likes.
    """

    def __init__(self) -> None:
        self.recent: deque[float] = deque()
        self.log: list[tuple[float, bool]] = []
        self.beats_s: list[float] = []

    async def answer(self, request: web.Request) -> web.Response:
        now_s = time.monotonic()
        if request.path == "/beat":
            self.beats_s.append(now_s)
            return web.Response()
        while self.recent and self.recent[0] <= now_s - 1.0:
            self.recent.popleft()
        accepted = len(self.recent) < LIMIT
        self.log.append((now_s, accepted))
        if not accepted:
            return web.Response(status=429, headers={"Retry-After": "1"})
        self.recent.append(now_s)
        if request.path == "/robots.txt":
            return web.Response(status=404)
        number = int(request.path.rpartition("/")[2] or 0)
        links = "".join(
            f'<a href="/{10 * number + k}">{k} more</a> ' for k in range(1, 10)
        )
        return web.Response(
            text=f"<title>{number}</title><p>Page {number}: {links}",
            content_type="text/html",
        )


async def beat(origin: str) -> None:
    """A client that knows the limit: what can be done at this rate on this machine, whatever else
    it has to do.
    """
    async with ClientSession() as session:
        while True:
            began_s = time.monotonic()
            async with session.get(f"{origin}/beat") as answer:
                await answer.read()
            await asyncio.sleep(1.0 / LIMIT - (time.monotonic() - began_s))


async def crawl(folder: Path, site: Site) -> None:
    app = web.Application()
    app.router.add_get("/{path:.*}", site.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    server = web.TCPSite(runner, "127.0.0.1", 0)
    await server.start()
    host = f"127.0.0.1:{runner.addresses[0][1]}"
    values: dict[str, object] = {
        "seeds": [f"http://{host}/1"],
        "budget": {"visits": "unlimited"},
        "manners": {"own": {host: 0.0}},
    }
    engine = open_engine(folder, settings_from("the test", values))
    metronome = asyncio.ensure_future(beat(f"http://{host}"))
    try:
        asyncio.get_running_loop().call_later(SECONDS, engine.stop)
        await run_engine(engine)
    finally:
        metronome.cancel()
        engine.close()
        await runner.cleanup()


def figures(folder: Path) -> tuple[float, float, int]:
    """(visits accepted of those that the metronome made, a second, refused of all), the first two
    once settled.
    """
    site = Site()
    asyncio.run(crawl(folder, site))
    end_s = site.log[0][0] + SECONDS
    settled = sum(
        accepted for now_s, accepted in site.log if end_s - JUDGED_S <= now_s < end_s
    )
    beats = sum(end_s - JUDGED_S <= now_s < end_s for now_s in site.beats_s)
    return (
        settled / beats,
        settled / JUDGED_S,
        sum(not accepted for _, accepted in site.log),
    )


def test_the_rate_settles_at_the_limit(tmp_path: Path) -> None:
    """A machine with much else to do may spoil one run; a wrong pace spoils all."""
    for run in range(RUNS):
        share, per_s, refused = figures(tmp_path / str(run))
        if good := share >= 0.8 and per_s <= LIMIT and refused <= 1:
            break
    assert good, f"{share:.2f} of the limit, {per_s:.2f}/s, {refused} refused"
