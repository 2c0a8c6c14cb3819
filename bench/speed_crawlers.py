"""One crawler, one site, one process: `python speed_crawlers.py NAME URL MOST` prints what it took,
as JSON.

scrapy, crawlee: links only, nothing stored, no robots.txt. floor: aiohttp and lexbor, with text.
trapline: all that `trapline crawl` does. Each reports the CPU seconds (user and system, itself and
its children) and the seconds on the wall from the first request to the end (trapline: everything
written and indexed), and apart what it took to start.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

# requests of those that do not mind asking one host for several things at a time
AT_ONCE: Final = 16
TOPIC: Final = "database query transaction index memory kernel driver"


def cpu_s() -> float:
    used = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return sum(one.ru_utime + one.ru_stime for one in used)


class Meter:
    """Counts pages, and what they cost since `begin`."""

    def __init__(self) -> None:
        self.pages = self.bytes = 0
        self.begin()

    def begin(self) -> None:
        self._cpu_s, self._wall_s = cpu_s(), time.perf_counter()

    def page(self, body: bytes) -> None:
        self.pages += 1
        self.bytes += len(body)

    def tell(self, **more: float) -> None:
        used_s = cpu_s() - self._cpu_s
        took_s = time.perf_counter() - self._wall_s
        figures = {
            "pages": self.pages,
            "bytes": self.bytes,
            "cpu_s": used_s,
            "wall_s": took_s,
            "start_s": self._cpu_s,
        }
        print(json.dumps({**figures, **more}))


def scrapy(url: str, most: int) -> None:
    # so, and not by import, because it is not always there and types differ then
    scrapy: Any = import_module("scrapy")
    meter = Meter()
    follow = import_module("scrapy.linkextractors").LinkExtractor(
        allow=re.escape("{0.scheme}://{0.netloc}/".format(urlsplit(url)))
    )

    class Spider(scrapy.Spider):  # type: ignore[misc]
        name = "speed"
        start_urls = (url,)

        def parse(self, response: Any) -> Any:
            if "html" not in response.headers.get("Content-Type", b"").decode():
                return
            meter.page(response.body)
            for link in follow.extract_links(response):
                yield scrapy.Request(link.url)

    process = import_module("scrapy.crawler").CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": False,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS": AT_ONCE,
            "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
            "CLOSESPIDER_PAGECOUNT": most,
            "DEPTH_PRIORITY": 1,  # breadth first, as the others
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        }
    )
    process.crawl(Spider)
    meter.begin()
    process.start()
    meter.tell()


def crawlee(url: str, most: int) -> None:
    import logging

    crawlee = import_module("crawlee")
    crawlers = import_module("crawlee.crawlers")
    storage = import_module("crawlee.storage_clients")
    meter = Meter()

    async def main() -> None:
        crawler = crawlers.ParselCrawler(
            max_requests_per_crawl=most,
            storage_client=storage.MemoryStorageClient(),
            concurrency_settings=crawlee.ConcurrencySettings(
                min_concurrency=AT_ONCE, desired_concurrency=AT_ONCE
            ),
            configure_logging=False,
        )

        @crawler.router.default_handler  # type: ignore[untyped-decorator]
        async def handle(context: Any) -> None:
            meter.page(await context.http_response.read())
            await context.enqueue_links(strategy="same-origin")

        meter.begin()
        await crawler.run([url])

    logging.disable(logging.CRITICAL)
    asyncio.run(main())
    meter.tell()


def floor(url: str, most: int) -> None:
    """Fetch, parse, text, links, no page twice: what cannot be left out."""
    import aiohttp
    from ada_url import join_url
    from selectolax.lexbor import LexborHTMLParser

    meter = Meter()
    origin = "{0.scheme}://{0.netloc}/".format(urlsplit(url))
    waiting = [url]
    seen = {url}
    texts = 0

    def read(body: bytes, here: str) -> None:
        nonlocal texts
        tree = LexborHTMLParser(body)
        for node in tree.css("a[href]"):
            try:
                target = join_url(here, node.attributes["href"] or "").partition("#")[0]
            except ValueError:
                continue
            if target not in seen and target.startswith(origin):
                seen.add(target)
                waiting.append(target)
        tree.strip_tags(["script", "style"])
        texts += (
            len(" ".join(tree.body.text(separator=" ").split())) if tree.body else 0
        )

    async def main() -> None:
        async with aiohttp.ClientSession() as session:
            at = 0
            busy = 0

            async def work() -> None:
                nonlocal at, busy
                while meter.pages < most and (busy or at < len(waiting)):
                    if at >= len(waiting):
                        await asyncio.sleep(0.001)
                        continue
                    here = waiting[at]
                    at = at + 1
                    busy = busy + 1
                    async with session.get(here) as response:
                        body = await response.read()
                        if (
                            response.status == 200
                            and response.content_type == "text/html"
                        ):
                            meter.page(body)
                            read(body, here)
                    busy -= 1

            await asyncio.gather(*(work() for _ in range(AT_ONCE)))

    meter.begin()
    asyncio.run(main())
    meter.tell()


def trapline(url: str, most: int) -> None:
    """As `trapline crawl`, until every page that was found has been visited."""
    from trapline.app.crawl.run_until import crawl_until, warm_up
    from trapline.app.engine.build import open_engine
    from trapline.app.settings import settings_from
    from trapline.core.cards import FRINGE

    wishes: dict[str, object] = {
        "seeds": [url],
        "topic": TOPIC,
        "budget": {"visits": "unlimited"},
        "manners": {"own": {urlsplit(url).netloc: 0.0}},
    }
    settings = settings_from("the bench", wishes)
    meter = Meter()
    with tempfile.TemporaryDirectory(prefix="trapline-speed-") as folder:
        engine = open_engine(Path(folder), settings)
        warm_up(settings.refresh.policy, True, settings.discovery.policy)

        def show() -> None:
            # links to other hosts stay on the fringe: they may not be visited
            cards = engine.controller.agenda.cards
            if (
                engine.loop
                and engine.loop.visits
                and not ((cards["state"] == FRINGE) & (cards["host"] == 0)).any()
            ):
                engine.stop()

        meter.begin()
        asyncio.run(
            crawl_until(engine, seconds=None, visits=most, show=show, every_s=0.05)
        )
        meter.pages, visits = engine.store.counts().held, engine.store.counts().visits
        engine.close()
        meter.tell(visits=visits)


CRAWLERS: Final[dict[str, Callable[[str, int], None]]] = {
    "scrapy": scrapy,
    "crawlee": crawlee,
    "floor": floor,
    "trapline": trapline,
}

if __name__ == "__main__":
    CRAWLERS[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
