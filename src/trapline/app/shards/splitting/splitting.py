"""Doubling the shards of a crawl that is at rest: every shard s of N becomes s and s + N.

First each shard is copied beside itself, where nobody looks yet. Then the ledger says in one step
that there are twice as many: a kill before that leaves the crawl as it was. From then on each half
lets go of what is the other's before it is run (shedding.py), at once if nothing comes between.

Hosts go where their names say, but all hosts of one address to one shard, for its pace: to where
the names of most of them say.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Final, NamedTuple

from rich.progress import Progress

from trapline.app.engine.parts import Engine
from trapline.app.folder.places.index_follower import drop_index_of_others
from trapline.app.output.terminal import Terminal
from trapline.app.settings import settings_from
from trapline.app.shards.crawl_place import CrawlPlace, ShardStores
from trapline.app.shards.crew.worker_names import name_worker
from trapline.app.shards.shard_engine import ShardEngine, ShardOpener
from trapline.app.shards.splitting.shedding import DOUBLED, checkpoint_of
from trapline.cluster.partition import home_shard
from trapline.cluster.tenure import Tenure
from trapline.core.errors import CrawlBusy, StoreAway, UserMistake
from trapline.core.ledger import RENEW_S, Lease, Ledger, MovedHost
from trapline.live.reader_processes import ReaderProcesses

MOST: Final = 4096  # shards, as `crawl --shards` has it


class Located(NamedTuple):
    """A host, where it was reached, and the shard that visited it."""

    name: str
    address: str
    shard: int


def split_crawl(place: CrawlPlace, ledger: Ledger) -> int:
    """Returns how many shards there are then. CrawlBusy if anybody runs one."""
    founding = ledger.founding()
    assert founding is not None
    shards = founding.shards
    if 2 * shards > MOST:
        raise UserMistake(
            f"{shards} shards cannot be doubled: a crawl has {MOST} at most"
        )
    with (
        _holding(ledger, place) as holder,
        closing(place.open_stores()) as stores,
        _show_progress(3 * shards) as step,
    ):
        leases = holder.claim_all(shards)
        located: list[Located] = []
        opener = _opener(place, ledger, stores, shards)
        for lease in leases:
            located += asyncio.run(_prepare(opener, lease))
            stores.copy(lease.shard, lease.shard + shards)
            step()
        homes, moved = settle(located, ledger.moved_hosts(0), shards)
        ledger.set_note(DOUBLED, str(2 * shards))
        if not ledger.double(holder.name, homes, moved):
            raise CrawlBusy(place.shown)
        drop_index_of_others(place.folder, 2 * shards)
        opener = _opener(place, ledger, stores, 2 * shards)
        for lease in [*leases, *holder.claim_all(shards)]:
            report = asyncio.run(_open_once(opener, lease))
            ledger.report(holder.name, {lease.shard: report})
            step()
    return 2 * shards


def settle(
    located: Sequence[Located], moved: Sequence[MovedHost], shards: int
) -> tuple[dict[str, int], list[MovedHost]]:
    """In twice as many shards: addresses with a new home, and all hosts that are not where their
    names say.

    >>> hosts = [Located(f"{name}.org:80", "192.0.2.1", 0) for name in ("a", "b", "d")]
    >>> [home_shard(host.name, 2) for host in hosts]
    [1, 1, 0]
    >>> settle(hosts, [], 1)
    ({'192.0.2.1': 1}, [MovedHost(number=1, name='d.org:80', shard=1, address='192.0.2.1')])
    """
    there: dict[tuple[str, int], list[str]] = defaultdict(list)
    for host in located:
        there[host.address, host.shard].append(host.name)
    homes: dict[str, int] = {}
    for (address, shard), names in there.items():
        homes[address] = _choose_home(names, shard, shards)
    found = {one.name: one.address for one in moved}
    before = {one.name: one.shard for one in moved}
    for host in located:
        if home_shard(host.name, 2 * shards) != homes[host.address]:
            found.setdefault(host.name, host.address)
    return homes, [
        MovedHost(
            number,
            name,
            homes.get(address, before.get(name, 0)),
            address,
        )
        for number, (name, address) in enumerate(found.items(), 1)
    ]


def _choose_home(names: Sequence[str], shard: int, shards: int) -> int:
    wished = Counter(home_shard(name, 2 * shards) for name in names)
    return max((shard, shard + shards), key=lambda half: wished[half])


class _Holder:
    """A worker that owns shards and runs none, so that nobody else does."""

    def __init__(self, ledger: Ledger, place: CrawlPlace) -> None:
        self.name = f"split-{name_worker()}"
        self._ledger = ledger
        self._place = place
        self._held: dict[int, int] = {}

    def claim_all(self, shards: int) -> list[Lease]:
        """So many; CrawlBusy if others have some of them."""
        leases = self._ledger.claim(self.name, shards)
        self._held |= {lease.shard: lease.epoch for lease in leases}
        if len(leases) < shards:
            raise CrawlBusy(self._place.shown)
        return leases

    def leave(self) -> None:
        self._ledger.leave(self.name, self._held)

    def renew(self) -> None:
        with suppress(StoreAway):  # it may be back next time
            self._ledger.supervise(self.name)
            self._ledger.renew(self.name, dict(self._held), {}, 0.0)


@contextmanager
def _holding(ledger: Ledger, place: CrawlPlace) -> Iterator[_Holder]:
    holder = _Holder(ledger, place)
    if ledger.workers() or ledger.supervise(holder.name) > 0.0:
        raise CrawlBusy(place.shown)
    holder.renew()
    over = threading.Event()

    def keep() -> None:
        while not over.wait(RENEW_S):
            holder.renew()

    keeper = threading.Thread(target=keep, name="leases", daemon=True)
    keeper.start()
    try:
        yield holder
    finally:
        over.set()
        keeper.join()
        holder.leave()


def _opener(
    place: CrawlPlace, ledger: Ledger, stores: ShardStores, shards: int
) -> ShardOpener:
    founding = ledger.founding()
    assert founding is not None
    settings = settings_from(
        f"the crawl in {place.shown}", json.loads(founding.settings)
    )
    readers = ReaderProcesses(0)
    folder = place.shards_folder
    return ShardOpener(
        settings,
        ledger,
        shards,
        folder,
        stores.open,
        readers,
        words=place.words,
    )


async def _prepare(opener: ShardOpener, lease: Lease) -> list[Located]:
    """Save a shard so that its copy has little to replay, and say where its hosts are."""
    engine = await opener.open_engine(lease, Tenure())
    try:
        if engine.controller.hosts():
            engine.holdings.collection.flush()
            engine.store.save_checkpoint(checkpoint_of(engine))
        return _located_in(engine, lease.shard)
    finally:
        engine.close()


def _located_in(engine: Engine, shard: int) -> list[Located]:
    book = engine.holdings.book
    seat = engine.seat
    assert seat is not None
    addresses = engine.controller.host_book.addresses()
    names = {host: book.host_name(host) for host in addresses}
    return [
        Located(names[host], address, shard)
        for host, address in addresses.items()
        if seat.partition.home(names[host]) == shard
    ]


async def _open_once(opener: ShardOpener, lease: Lease) -> str:
    """It lets go of what is the other half's; returns what it has then."""
    engine = await opener.open_engine(lease, Tenure())
    try:
        return ShardEngine(engine, lease).report()
    finally:
        engine.close()


@contextmanager
def _show_progress(steps: int) -> Iterator[Callable[[], None]]:
    console = Terminal(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("doubling the shards", total=steps)
        yield lambda: progress.advance(task)
