"""A topic given by a page: every shard knows it, though one shard alone reads the page."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.e2e.support.shard_web import Names, ShardWeb
from trapline.app.settings import settings_from
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crew.worker_process import WorkerWishes, run_worker
from trapline.cluster.partition import home_shard
from trapline.cluster.worker import Worker
from trapline.core.ledger import Founding
from trapline.stores.sqlite.store import SqliteStore

STARS: Final = "telescope nebula galaxy orbit crater comet lens spectrum dwarf pulsar"
TEA: Final = "kettle leaves pour porcelain oolong steep saucer infusion cup teapot"
SHARDS: Final = 2
PATIENCE_S: Final = 180.0


class TwoKinds(ShardWeb):
    """Even pages are about stars, odd ones about tea."""

    def _page(self, name: str, path: str) -> str | None:
        stem = path.removeprefix("/").removesuffix(".html")
        number = int(stem) if stem.isdigit() else 0 if path == "/" else -1
        if not 0 <= number < self.pages:
            return None
        words = (TEA if number % 2 else STARS).split()
        text = " ".join(words[(number + n) % len(words)] for n in range(60))
        links = [f"/{n}.html" for n in range(1, self.pages)]
        links += [self.url(other) for other in self.names]
        anchors = " ".join(f'<a href="{link}">more</a>' for link in links)
        return f"<html><title>{name} {number}</title><p>{text}</p>{anchors}</html>"


def test_an_example_on_one_shard_teaches_all(tmp_path: Path) -> None:
    with TwoKinds(hosts=6, addresses=6, pages=6) as web:
        homes = {name: home_shard(f"{name}:{web.port}", SHARDS) for name in web.names}
        assert set(homes.values()) == {0, 1}
        here = web.names[0]
        found_crawl(tmp_path, web, web.url(here, "/2.html"))
        with worker_on(tmp_path, web):
            wait_until(lambda: knows_topic(tmp_path, 1 - homes[here], web))


def knows_topic(folder: Path, shard: int, web: ShardWeb) -> bool:
    """Whether a shard holds pages of both kinds, and tells them apart."""
    found = relevance_in(folder / "shards" / f"{shard:03}")
    stars = [
        worth for url, worth in found.items() if url.endswith(("2.html", "4.html"))
    ]
    tea = [worth for url, worth in found.items() if url.endswith(("1.html", "3.html"))]
    return bool(stars) and bool(tea) and min(stars) > 0.5 > max(tea)


def relevance_in(folder: Path) -> dict[str, float]:
    if not (folder / "store.sqlite").exists():
        return {}
    store = SqliteStore(folder, read_only=True)
    try:
        pages = [change.document for change in store.changes()]
    finally:
        store.close()
    return {page.url: page.relevance for page in pages if page is not None}


def found_crawl(folder: Path, web: ShardWeb, example: str) -> None:
    values: dict[str, object] = {
        "topic": {"examples": [example]},
        "seeds": [web.url(name) for name in web.names],
        "budget": {"visits": "unlimited"},
        "manners": {"own": dict.fromkeys(web.host_names(), 0.05)},
    }
    settings = settings_from("the test", values).without_secrets()
    ledger = CrawlPlace(folder).open_ledger(create=True)
    ledger.establish(Founding(SHARDS, json.dumps(settings), float("inf")))
    ledger.close()


@contextmanager
def worker_on(folder: Path, web: ShardWeb) -> Iterator[None]:
    stops: list[Callable[[], object]] = []

    def take(worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        stops.append(lambda: loop.call_soon_threadsafe(worker.stop))

    wishes = WorkerWishes(
        CrawlPlace(folder),
        name="test",
        readers=0,
        resolver=lambda: Names(web.addresses),
    )
    thread = threading.Thread(target=run_worker, args=(wishes, take))
    thread.start()
    try:
        yield
    finally:
        wait_until(lambda: bool(stops) or not thread.is_alive())
        for stop in stops:
            stop()
        thread.join()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s, "it has not come true"
        time.sleep(0.2)
