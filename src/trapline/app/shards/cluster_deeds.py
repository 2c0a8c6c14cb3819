"""What people do with a crawl in shards: look at it, empty a worker, double its shards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.table import Table

from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.app.shards.crew.worker_names import given_name
from trapline.app.shards.shard_figures import CrawlFigures, figures_of_shards
from trapline.app.shards.shard_progress import shard_table
from trapline.core.errors import CrawlMissing, UserMistake
from trapline.core.ledger import Ledger


def print_cluster(store: str, as_json: bool) -> None:
    place = place_named(store)
    with open_founded(place) as ledger:
        figures = figures_of_shards(ledger)
    if as_json:
        print_json({"store": place.shown, **figures.as_dict()})
        return
    terminal = Terminal()
    terminal.print(f"The crawl in {place.shown}:", soft_wrap=True)
    terminal.print(_workers(figures))
    terminal.print(shard_table(figures.rows))


def drain(store: str, worker: str, as_json: bool) -> None:
    """Have a worker, or all that people called so, give up its shards and end."""
    place = place_named(store)
    with open_founded(place) as ledger:
        names = [row.name for row in ledger.workers()]
        called = [name for name in names if worker in (name, given_name(name))]
        asked = [name for name in called or [worker] if worker and ledger.drain(name)]
        if not asked:
            problem = f"there is no worker named {worker!r}"
            problem = problem if worker else "name the worker that is to end"
            there = ", ".join(names) or "none is there"
            raise UserMistake(f"{problem}; workers of this crawl: {there}")
    if as_json:
        print_json({"drained": worker})
    else:
        for name in asked:
            print(f"{name} gives up its shards, then ends.")


def split(store: str, as_json: bool) -> None:
    from trapline.app.shards.splitting.splitting import split_crawl

    place = place_named(store)
    with open_founded(place) as ledger:
        shards = split_crawl(place, ledger)
    if as_json:
        print_json({"shards": shards})
    else:
        print(f"The crawl in {place.shown} has {shards} shards now.")


@contextmanager
def open_founded(place: CrawlPlace) -> Iterator[Ledger]:
    """The ledger of a crawl that is there; CrawlMissing if none is."""
    ledger = place.open_ledger()
    try:
        if ledger.founding() is None:
            raise CrawlMissing(place.shown)
        yield ledger
    finally:
        ledger.close()


def _workers(figures: CrawlFigures) -> Table:
    table = Table()
    for name in ("worker", "shards", "load", "state"):
        table.add_column(name, justify="left" if name == "worker" else "right")
    for worker in figures.workers:
        shards = sum(row.owner == worker.name for row in figures.rows)
        state = "drains" if worker.draining else "at work"
        table.add_row(worker.name, str(shards), f"{worker.load:.0%}", state)
    return table
