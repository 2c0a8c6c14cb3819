"""How fast does a shard commit to PostgreSQL? Durable batches of fifty visits.

    python bench/postgres_store.py                 one connection, then two beside each other
    python bench/postgres_store.py --batches 400   so many batches a connection (200)

How to read the table
    Each batch (store_batches.py) is one commit of a PostgresStore: visits, pages, bodies, links,
    link texts, differences, the journal, letters out and in, notes, URLs, a host. The server comes
    from PyPI and runs beside the bench on the same disk; fsync and synchronous_commit are on, as
    the first line says.
    visits/s is by the clock, of one connection. backend µs is processor of the server's processes
    that serve the connections, a visit; server µs adds its helpers (writers of its log and of
    pages, and vacuum); client µs is the processor that packing and sending take in the robot.
    Aims: 2,000 visits/s a connection, 150 µs of server a visit.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from pathlib import Path
from statistics import median_low
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg

from processor_time import processor_s, tree_s  # type: ignore[import-not-found]
from store_batches import VISITS, MadeUpCrawl  # type: ignore[import-not-found]
from tests.postgres_server import fresh_store, server_address, server_process
from trapline.core.storage import Batch
from trapline.stores.postgres.store import PostgresStore

WARM: Final = 20  # batches before the clock starts
SETTINGS: Final = ("server_version", "fsync", "synchronous_commit", "full_page_writes")
_BACKENDS: Final = (
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'trapline'"
)


class Writer(threading.Thread):
    """Commits all batches through a store of its own."""

    def __init__(self, store: PostgresStore, batches: list[Batch]) -> None:
        super().__init__()
        self.store = store
        self.batches = batches
        self.wall_s = 0.0
        self.client_s = 0.0
        self.each_s: list[float] = []

    def run(self) -> None:
        began_s = time.perf_counter()
        processor = time.thread_time()
        for batch in self.batches:
            asked_s = time.perf_counter()
            self.store.commit(batch)
            self.each_s.append(time.perf_counter() - asked_s)
        self.client_s = time.thread_time() - processor
        self.wall_s = time.perf_counter() - began_s


def prepared(batches: int, seed: int) -> Writer:
    """A store with some content, and what is to be committed next."""
    store = fresh_store()
    crawl = MadeUpCrawl(seed)
    store.commit(crawl.start())
    for batch in crawl.batches(WARM):
        store.commit(batch)
    writer = Writer(store, list(crawl.batches(batches)))
    _add_letters(store, writer.batches)
    return writer


def _add_letters(store: PostgresStore, batches: list[Batch]) -> None:
    """Each batch reads as many letters as it sends."""
    posted = [
        letter._replace(receiver=3) for batch in batches for letter in batch.postings
    ]
    store.commit(Batch(postings=posted))
    numbers = store._rows("SELECT number FROM @mail WHERE shard = %s")
    for place, batch in enumerate(batches):
        some = len(batch.postings)
        batch.read = [row[0] for row in numbers[place * some : (place + 1) * some]]


def measure(writers: list[Writer]) -> str:
    with psycopg.connect(server_address(), autocommit=True) as watcher:
        backends = [pid for (pid,) in watcher.execute(_BACKENDS).fetchall()]
        server = server_process()
        before = sum(map(processor_s, backends)), tree_s(server)
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        after = sum(map(processor_s, backends)), tree_s(server)
    visits = VISITS * sum(len(writer.batches) for writer in writers)
    per_s = median_low(VISITS * len(one.batches) / one.wall_s for one in writers)
    backend, whole = (
        1e6 * (b - a) / visits for a, b in zip(before, after, strict=True)
    )
    client = 1e6 * sum(one.client_s for one in writers) / visits
    spans = sorted(s for one in writers for s in one.each_s)
    return (
        f"{len(writers):>11} {per_s:>9,.0f} {backend:>11.0f} {whole:>10.0f} {client:>10.0f}"
        f" {1e3 * spans[len(spans) // 2]:>9.1f} {1e3 * spans[-len(spans) // 20]:>9.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=200)
    wishes = parser.parse_args()
    with psycopg.connect(server_address()) as connection:
        for name in SETTINGS:
            row = connection.execute(f"SHOW {name}").fetchone()
            print(name, row[0] if row else "", end="; ")
    print(f"\n{VISITS} visits a batch, {wishes.batches} batches")
    print(
        f"{'connections':>11} {'visits/s':>9} {'backend µs':>11} {'server µs':>10}"
        f" {'client µs':>10} {'p50, ms':>9} {'p95, ms':>9}"
    )
    for connections in (1, 2):
        writers = [prepared(wishes.batches, seed) for seed in range(connections)]
        print(measure(writers), flush=True)
        for writer in writers:
            writer.store.close()


if __name__ == "__main__":
    main()
