"""How many links a minute go by mail from shard to shard, all the way, on one core?

    python bench/mail.py                  a folder (SQLite), then PostgreSQL
    python bench/mail.py --links 50000    so many links in all (100,000)

How to read the table
    Pages of thirty links to a thousand hosts of another shard: half of the links are new, the other
    half were sent lately and are not sent again. Links count once they are sent; a letter holds
    what a batch of fifty pages found. µs are of processor, a link that is sent.
    send    Outgoing.add, packing, and the commit of the sender's store; in a folder also handing
            letters on to the ledger
    take    the letters read from the ledger, opened, in scope, numbered, told to the controller and
            its journal, and the commit that strikes them and keeps the new URLs
    server  PostgreSQL's own
    The last column is what one core does, all three together. Aim: 1,000,000.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from processor_time import tree_s  # type: ignore[import-not-found]
from tests.postgres_server import fresh_address, server_process
from trapline.app.engine.parts import Engine
from trapline.app.engine.run import _in_reach
from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.letters_in import take_in
from trapline.app.shards.seat import Seat
from trapline.app.shards.shard_engine import ShardOpener
from trapline.cluster.partition import home_shard
from trapline.cluster.tenure import Tenure
from trapline.core.ledger import Founding
from trapline.core.links import LINK, Links
from trapline.live.reader_processes import ReaderProcesses

ON_A_PAGE: Final = 30
PAGES: Final = 50  # a batch
HOSTS: Final = 1_000
WORKER: Final = "bench"
NOW_S: Final = 1e9


class Found(NamedTuple):
    """On one page."""

    urls: list[str]
    links: Links
    relevance: float
    depth: int


class Costs(NamedTuple):
    links: int
    send_s: float
    take_s: float
    server_s: float

    def __str__(self) -> str:
        send, take, server = (1e6 * s / self.links for s in self[1:])
        a_minute = 60.0 * self.links / (self.send_s + self.take_s + self.server_s)
        return f"{send:>8.1f} {take:>8.1f} {server:>8.1f} {a_minute:>14,.0f}"


def pages_found(count: int, receiver: int, shards: int) -> list[Found]:
    noise = np.random.default_rng(1)
    names = (f"www.site{number}.example" for number in range(10 * HOSTS))
    theirs = [n for n in names if home_shard(f"{n}:443", shards) == receiver][:HOSTS]
    found: list[Found] = []
    lately: list[str] = []
    for page in range(count):
        hosts = noise.integers(0, len(theirs), ON_A_PAGE // 2).tolist()
        new = [
            f"https://{theirs[host]}/articles/{page}/{place}-of-some-words.html"
            for place, host in enumerate(hosts)
        ]
        old = [lately[i] for i in noise.integers(0, len(lately), 15)] if lately else []
        lately = (lately + new)[-3_000:]
        urls = [*new, *old]
        links = np.zeros(len(urls), LINK)
        links["page"] = links["host"] = -1
        for clue in ("anchor", "address", "context", "place"):
            links[clue] = noise.random(len(urls)).round(2)
        for group in ("path", "directory", "prefix"):
            links[group] = noise.integers(1, 1 << 30, len(urls))
        links["tokens"] = noise.integers(1, 20_000, (len(urls), 6))
        found.append(Found(urls, links, float(noise.random()), 3))
    return found


class Crawl:
    """Two shards: the first sends, the second takes."""

    def __init__(self, place: CrawlPlace) -> None:
        self._ledger = place.open_ledger(create=True)
        self._ledger.establish(Founding(2, "{}", math.inf))
        leases = self._ledger.claim(WORKER, 2)
        self._stores = place.open_stores()
        opener = ShardOpener(
            Settings(topic={"words": "space"}),  # type: ignore[arg-type]
            self._ledger,
            2,
            place.shards_folder,
            self._stores.open,
            ReaderProcesses(0),
        )
        self.engines = [asyncio.run(opener(lease, Tenure())).engine for lease in leases]

    def send(self, found: list[Found]) -> None:
        engine, seat = self._seated(0)
        for place, page in enumerate(found, 1):
            seat.outgoing.add(page.urls, page.links, page.relevance, page.depth)
            if place % PAGES == 0 or place == len(found):
                engine.holdings.collection.flush()
                seat.hand_on_now()

    def take(self) -> int:
        """Returns how many links the receiver has met."""
        engine, seat = self._seated(1)
        in_scope = _in_reach(engine)
        while letters := asyncio.run(seat.letters()):
            for letter in letters:
                take_in(engine, seat, letter, in_scope, NOW_S)
            engine.holdings.collection.flush()
            seat.hand_on_now()
        return engine.store.counts().known

    def _seated(self, shard: int) -> tuple[Engine, Seat]:
        engine = self.engines[shard]
        assert engine.seat is not None
        engine.holdings.collection.letters = engine.seat.outgoing.take
        return engine, engine.seat

    def close(self) -> None:
        for engine in self.engines:
            engine.close()
        self._stores.close()
        self._ledger.close()


def measure(place: CrawlPlace, links: int, server_s: Callable[[], float]) -> Costs:
    pages = links // (ON_A_PAGE // 2)
    found = pages_found(pages, 1, 2)
    crawl = Crawl(place)
    try:
        crawl.send(found[:PAGES])  # kernels are compiled, tables are read
        met = crawl.take()
        before_s = server_s()
        began_s = time.process_time()
        crawl.send(found[PAGES:])
        sent_s = time.process_time()
        more = crawl.take() - met
        ended_s = time.process_time()
        served_s = server_s() - before_s
    finally:
        crawl.close()
    return Costs(more, sent_s - began_s, ended_s - sent_s, served_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--links", type=int, default=100_000)
    wishes = parser.parse_args()
    print(
        f"{'µs a link':<11} {'send':>8} {'take':>8} {'server':>8} {'links a minute':>14}"
    )
    with tempfile.TemporaryDirectory() as folder:
        place = CrawlPlace(Path(folder))
        print(f"{'folder':<11} {measure(place, wishes.links, lambda: 0.0)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        place = CrawlPlace(Path(folder), fresh_address())
        server = server_process()
        costs = measure(place, wishes.links, lambda: tree_s(server))
        print(f"{'PostgreSQL':<11} {costs}", flush=True)


if __name__ == "__main__":
    main()
