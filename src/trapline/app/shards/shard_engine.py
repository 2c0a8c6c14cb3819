"""The engine of a shard: opened for the owner of a lease, run, and driven by its worker."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiohttp.abc import AbstractResolver

from trapline.app.engine.build import Berth, Words, assemble, prepare
from trapline.app.engine.parts import Engine
from trapline.app.engine.run import run_engine
from trapline.app.folder.label_file import LabelFile
from trapline.app.folder.orders.order_file import OrderFile
from trapline.app.settings import Settings
from trapline.app.shards.ledger_lines import LedgerLines
from trapline.app.shards.seat import Mailbag, Seat
from trapline.app.shards.splitting.shedding import (
    DOUBLED,
    SheddingStore,
    give_others_away,
    is_shed,
)
from trapline.cluster.partition import Partition
from trapline.cluster.tenure import Tenure
from trapline.cluster.worker import Say
from trapline.core.cards import FRINGE, GONE, HELD
from trapline.core.errors import CrawlDoubled, Fenced, FolderBusy
from trapline.core.ledger import Bid, Lease, Ledger
from trapline.live.reader_processes import ReaderProcesses
from trapline.robot.bidding import bid_of
from trapline.scope.scope import UNLIMITED

BUSY_S: Final = (
    1.0  # until a folder is tried again that a worker of before has not let go
)


@dataclass(frozen=True, slots=True)
class OpenedStore:
    store: SheddingStore
    mailbag: Mailbag | None  # None = it posts letters itself


@dataclass(frozen=True, slots=True)
class ShardOpener:
    """Opens shards of one crawl, all with the same parts."""

    settings: Settings
    ledger: Ledger
    shards: int
    folder: Path  # of what a shard writes beside its store: log, WARC files
    open_store: Callable[[Lease], OpenedStore]
    readers: ReaderProcesses
    say: Say = lambda _: None
    resolver: Callable[[], AbstractResolver | None] = lambda: None
    words: Path | None = None  # where people leave orders; None = in the ledger

    async def __call__(self, lease: Lease, tenure: Tenure) -> ShardEngine:
        return ShardEngine(await self.open_engine(lease, tenure), lease)

    async def open_engine(self, lease: Lease, tenure: Tenure) -> Engine:
        """For whoever does not run it; the engine is to be closed."""
        opened = await self._insist_on_store(lease, tenure)
        return await asyncio.to_thread(self._open, lease, tenure, opened)

    async def _insist_on_store(self, lease: Lease, tenure: Tenure) -> OpenedStore:
        """A worker that stands still keeps its folder until it wakes or ends."""
        while True:
            if tenure.is_over:
                raise Fenced(lease.shard, lease.epoch)
            try:
                return await asyncio.to_thread(self.open_store, lease)
            except FolderBusy:
                await asyncio.sleep(BUSY_S)

    def _open(self, lease: Lease, tenure: Tenure, opened: OpenedStore) -> Engine:
        try:
            self._check_shards()
            if not is_shed(opened.store, self.ledger.note(DOUBLED)):
                self._give_away(lease, tenure, opened)
            return self._seat(lease, tenure, opened)
        except BaseException:
            opened.store.close()
            raise

    def _check_shards(self) -> None:
        """Nobody doubles them while one is owned."""
        founding = self.ledger.founding()
        if founding is not None and founding.shards != self.shards:
            raise CrawlDoubled(self.shards, founding.shards)

    def _give_away(self, lease: Lease, tenure: Tenure, opened: OpenedStore) -> None:
        engine = self._seat(lease, tenure, opened)
        try:
            partition = Partition(self.shards, lease.shard)
            partition.learn(self.ledger.moved_hosts(0))
            give_others_away(engine, opened.store, partition)
        finally:
            engine.feed.close()

    def _seat(self, lease: Lease, tenure: Tenure, opened: OpenedStore) -> Engine:
        moved = self.ledger.moved_hosts(0)
        partition = Partition(self.shards, lease.shard)
        partition.learn(moved)
        seat = Seat(
            lease,
            tenure,
            partition,
            self.ledger,
            self.readers,
            opened.mailbag,
        )
        seat.moves = max((one.number for one in moved), default=0)
        seat.hand_on_now()
        prepared = prepare(self.settings, self._words(), resolver=self.resolver())
        folder = self.folder / f"{lease.shard:03}"
        folder.mkdir(parents=True, exist_ok=True)
        berth = Berth(folder, opened.store, None, seat.is_theirs)
        engine = assemble(berth, share_of_pages(self.settings, self.shards), prepared)
        engine.seat = seat
        engine.say = self._name_shard(lease.shard)
        return engine

    def _words(self) -> Words:
        if self.words is not None:
            return Words(OrderFile(self.words), LabelFile(self.words))
        orders = LedgerLines(self.ledger, "orders")
        labels = LedgerLines(self.ledger, "labels")
        return Words(OrderFile(Path(), orders), LabelFile(Path(), labels))

    def _name_shard(self, shard: int) -> Say:
        return lambda remark: self.say(f"shard {shard}: {remark}")


def share_of_pages(settings: Settings, shards: int) -> Settings:
    """A shard holds an equal share of the pages that may be held."""
    scope = settings.scope
    if scope.pages == UNLIMITED:
        return settings
    pages = max(1, scope.pages // shards)
    return settings.model_copy(
        update={"scope": scope.model_copy(update={"pages": pages})}
    )


class ShardEngine:
    """cluster.post.ShardRun."""

    def __init__(self, engine: Engine, lease: Lease) -> None:
        self.engine = engine
        self._lease = lease
        self._over = False

    async def run(self) -> None:
        try:
            if not self._over:
                await run_engine(self.engine)
                await self._hand_on_last()
        finally:
            await asyncio.to_thread(self.engine.close)

    def stop(self) -> None:
        self._over = True
        self.engine.stop()

    def wake(self) -> None:
        if self.engine.loop is not None:
            self.engine.loop.look_again()

    def spend(self, per_s: float) -> None:
        loop = self.engine.loop
        if loop is not None and not loop.is_over:
            self.engine.control.journal.spend(per_s, loop.now_s)
            loop.look_again()

    def bid(self) -> Bid | None:
        loop = self.engine.loop
        if loop is None:
            return None
        return bid_of(self.engine.controller, self._lease.shard, loop.now_s)

    def report(self) -> str:
        controller = self.engine.controller
        agenda = controller.agenda
        market = agenda.tally("market")
        return json.dumps(
            {
                "visits": self._visits(),
                "held": agenda.count(HELD),
                "fringe": agenda.count(FRINGE),
                "gone": agenda.count(GONE),
                "hosts": controller.hosts(),
                "market_price": market if math.isfinite(market) else 0.0,
                "under_way": controller.under_way,
                "idle": self._is_idle(),
                "held_back": str(self.engine.held_back or ""),
                "checkpoint_age_s": self._checkpoint_age_s(),
            }
        )

    def _checkpoint_age_s(self) -> float | None:
        saved_s = self.engine.saved_s
        return None if saved_s is None else max(0.0, time.time() - saved_s)

    def _visits(self) -> int:
        return int(self.engine.controller.agenda.tally("visits"))

    def _is_idle(self) -> bool:
        """Nothing is left to do, unless others send something."""
        loop = self.engine.loop
        seat = self.engine.seat
        if loop is None or seat is None or not loop.is_idle:
            return False
        return not len(seat.outgoing) and not seat.taken and seat.is_posted

    async def _hand_on_last(self) -> None:
        """Letters of the last batch."""
        if self.engine.seat is not None:
            await self.engine.seat.exchange()
