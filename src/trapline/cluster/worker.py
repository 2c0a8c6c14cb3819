"""A worker: a process that owns some shards of a crawl and runs them, until it is told to end.

Owning is the ledger's word. A thread of its own renews it, so that a busy loop loses nothing, but
only while the loop is alive: a worker that hangs loses its shards to others.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from trapline.cluster.fair_share import shards_to_give, share_of
from trapline.cluster.tenure import Tenure
from trapline.cluster.treasury import clear_market
from trapline.core.errors import Fenced, StoreAway
from trapline.core.ledger import RENEW_S, Bid, Founding, Lease, Ledger
from trapline.live.awake_loop import unstopped_s

LOOK_S: Final = 1.0  # between two looks who should have which shard
BID_S: Final = 10.0  # between two bids
HUNG_S: Final = 30.0  # a loop that has not turned for so long owns nothing any more


class ShardRun(Protocol):
    """A shard at work."""

    async def run(self) -> None:
        """Until `stop`, then all is saved. Fenced: it has another owner by now."""

    def stop(self) -> None: ...

    def wake(self) -> None:
        """Visits may be made again."""

    def spend(self, per_s: float) -> None:
        """From now on so many visits a second."""

    def bid(self) -> Bid | None: ...

    def report(self) -> str:
        """JSON, for those who look at the ledger."""


OpenShard = Callable[[Lease, Tenure], Awaitable[ShardRun]]
Say = Callable[[str], None]


@dataclass(slots=True)
class _Post:
    """A shard that the worker owns."""

    lease: Lease
    tenure: Tenure
    rate_per_s: float
    run: ShardRun | None = None  # None = it is being opened
    task: asyncio.Task[None] | None = None
    report: str = ""


class Worker:
    def __init__(
        self,
        name: str,
        ledger: Ledger,
        founding: Founding,
        open_shard: OpenShard,
        say: Say = lambda _: None,
    ) -> None:
        """`name` is the worker's alone. `open_shard` restores a shard and makes it ready to run."""
        self.name = name
        self._ledger = ledger
        self._founding = founding
        self._open_shard = open_shard
        self._say = say
        self._posts: dict[int, _Post] = {}
        self._stopping = asyncio.Event()
        self._failure: BaseException | None = None
        self._turned_s = unstopped_s()
        self._market_s = 0.0

    @property
    def shards(self) -> list[int]:
        """Those that it owns."""
        return sorted(self._posts)

    def stop(self) -> None:
        """Save and give up all shards, and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Until `stop`; a shard that fails ends the worker, and its error is raised here."""
        self._ledger.renew(self.name, {}, {}, 0.0)
        keeper = _Keeper(self, asyncio.get_running_loop())
        keeper.start()
        try:
            while not self._stopping.is_set():
                self._turned_s = unstopped_s()
                with suppress(StoreAway):
                    await self._look_round()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), LOOK_S)
            await self._give_up(list(self._posts.values()))
        finally:
            keeper.end()
            with suppress(StoreAway):
                await asyncio.to_thread(self._ledger.leave, self.name)
        if self._failure is not None:
            raise self._failure

    async def _look_round(self) -> None:
        """Take what nobody runs, give what others should, bid."""
        rows = await asyncio.to_thread(self._ledger.shards)
        workers = await asyncio.to_thread(self._ledger.workers)
        if any(row.name == self.name and row.draining for row in workers):
            self._say("asked to drain: giving up all shards")
            self.stop()
            return
        wanted = share_of(self.name, workers, rows)
        if wanted > len(self._posts):
            await self._claim(wanted - len(self._posts))
        given = shards_to_give(self.name, workers, rows)
        await self._give_up([self._posts[s] for s in given if s in self._posts])
        if self._founding.budget_per_s < float("inf"):
            await self._trade()

    async def _claim(self, most: int) -> None:
        asked_s = unstopped_s()
        leases = await asyncio.to_thread(self._ledger.claim, self.name, most)
        for lease in leases:
            tenure = Tenure()
            tenure.renew(asked_s)
            post = _Post(lease, tenure, lease.rate_per_s)
            self._posts[lease.shard] = post
            post.task = asyncio.create_task(self._run_shard(post))

    async def _run_shard(self, post: _Post) -> None:
        shard = post.lease.shard
        try:
            post.run = await self._open_shard(post.lease, post.tenure)
            post.report = post.run.report()
            await post.run.run()
            await self._report_last(post.lease, post.run.report())
        except Fenced as fenced:
            self._say(str(fenced))
        except asyncio.CancelledError:
            raise
        except Exception as failure:
            self._failure = self._failure or failure
            self._stopping.set()
        finally:
            post.tenure.end()
            if self._posts.get(shard) is post:
                del self._posts[shard]
            await self._release(post.lease)

    async def _report_last(self, lease: Lease, report: str) -> None:
        """What has come since the keeper last told."""
        said = {lease.shard: report}
        with suppress(StoreAway):
            await asyncio.to_thread(self._ledger.report, self.name, said)

    async def _release(self, lease: Lease) -> None:
        with suppress(StoreAway):
            await asyncio.to_thread(
                self._ledger.release, self.name, lease.shard, lease.epoch
            )

    async def _give_up(self, posts: list[_Post]) -> None:
        """Save and release; others go on with them."""
        for post in posts:
            if post.run is not None:
                post.run.stop()
            elif post.task is not None:
                post.task.cancel()
        tasks = [post.task for post in posts if post.task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _trade(self) -> None:
        now_s = unstopped_s()
        if now_s < self._market_s + BID_S:
            return
        self._market_s = now_s
        bids = [post.run.bid() for post in self._posts.values() if post.run is not None]
        said = [bid for bid in bids if bid is not None]
        await asyncio.to_thread(self._trade_in_ledger, said)

    def _trade_in_ledger(self, bids: list[Bid]) -> None:
        self._ledger.bid(bids)
        if self._ledger.be_treasurer(self.name):
            rows = self._ledger.shards()
            budget = self._founding.budget_per_s
            rates = clear_market(rows, self._ledger.bids(), budget)
            self._ledger.grant(self.name, rates)

    # what the keeper hears, in the loop's thread

    def _lose(self, shard: int, epoch: int) -> None:
        post = self._posts.get(shard)
        if post is not None and post.lease.epoch == epoch and post.run is not None:
            post.run.stop()

    def _hear(self, rates: dict[int, float], returned: list[int]) -> None:
        for shard, post in list(self._posts.items()):
            if post.run is None:
                continue
            rate = rates.get(shard, post.rate_per_s)
            if rate != post.rate_per_s:
                post.run.spend(rate)
                post.rate_per_s = rate
            if shard in returned:
                post.run.wake()
            post.report = post.run.report()


class _Keeper(threading.Thread):
    """Renews what the worker owns."""

    def __init__(self, worker: Worker, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(name="leases", daemon=True)
        self._worker = worker
        self._loop = loop
        self._over = threading.Event()
        self._processor_s = time.process_time()
        self._asked_s = unstopped_s()

    def run(self) -> None:
        while not self._over.wait(RENEW_S):
            if unstopped_s() - self._worker._turned_s < HUNG_S:
                # it may be back next time
                with suppress(StoreAway):
                    self._renew()

    def end(self) -> None:
        self._over.set()
        self.join()

    def _renew(self) -> None:
        worker = self._worker
        posts = dict(worker._posts)
        held = {shard: post.lease.epoch for shard, post in posts.items()}
        heard = {shard: post.rate_per_s for shard, post in posts.items()}
        lapsed = [shard for shard, post in posts.items() if not post.tenure.is_good()]
        load = self._load()
        asked_s = unstopped_s()
        ours = worker._ledger.renew(worker.name, held, heard, load)
        for shard, post in posts.items():
            if shard in ours:
                post.tenure.renew(asked_s)
            else:
                post.tenure.end()
                self._call(worker._lose, shard, post.lease.epoch)
        reports = {shard: posts[shard].report for shard in ours}
        worker._ledger.report(worker.name, reports)
        rates = worker._ledger.rates(sorted(ours))
        returned = [shard for shard in lapsed if shard in ours]
        self._call(worker._hear, rates, returned)

    def _call(self, heed: Callable[..., None], *said: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(heed, *said)

    def _load(self) -> float:
        """The share of a processor that this process has used since the last call."""
        processor_s = time.process_time()
        now_s = unstopped_s()
        used = (processor_s - self._processor_s) / max(now_s - self._asked_s, 1e-3)
        self._processor_s = processor_s
        self._asked_s = now_s
        return used
