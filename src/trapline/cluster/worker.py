"""A worker: a process that owns some shards of a crawl and runs them, until it is told to end.

Owning is the ledger's word: see lease_keeper.py for how it is kept. After an outage of the ledger
all leases have ended there while their owners live: so whoever is back renews its own at once, and
takes nothing before others could do so, too.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from trapline.cluster.fair_share import shards_to_give, share_of
from trapline.cluster.lease_ends import LeaseEnds
from trapline.cluster.lease_keeper import LeaseKeeper
from trapline.cluster.post import Post, ShardRun
from trapline.cluster.tenure import Tenure
from trapline.cluster.trader import Trader
from trapline.core.errors import Fenced, StoreAway
from trapline.core.ledger import Bid, Founding, Lease, Ledger, OwnerRow, WorkerRow
from trapline.live.awake_loop import unstopped_s

LOOK_S: Final = 1.0  # between two looks who should have which shard
BID_S: Final = 10.0  # between two bids
LYING_S: Final = 1.5  # until a shard is taken by whoever sees it, beyond its share
# after an outage, until what others have not renewed is taken: they look once a second, too
BACK_S: Final = 3.0

OpenShard = Callable[[Lease, Tenure], Awaitable[ShardRun]]
Say = Callable[[str], None]


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
        self._trader = Trader(name, ledger, founding)
        self._open_shard = open_shard
        self._say = say
        self._posts: dict[int, Post] = {}
        self._stopping = asyncio.Event()
        self._failure: BaseException | None = None
        self._tasks: set[asyncio.Task[None]] = set()  # of posts, those replaced too
        self.turned_s = unstopped_s()  # when the loop was last alive
        self._claims_from_s = -math.inf
        self._is_back = False  # it has not looked since the ledger was away
        self._free_since_s: dict[int, float] = {}  # shards, as far as it has seen
        self._ends = LeaseEnds()
        self._keeper: LeaseKeeper  # while it runs

    @property
    def shards(self) -> list[int]:
        """Those that it owns."""
        return sorted(self._posts)

    def stop(self) -> None:
        """Save and give up all shards, and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Until `stop`; a shard that fails ends the worker, and its error is raised here."""
        beside = [
            asyncio.create_task(work)
            for work in (self._turn(), self._look_round(), self._trade())
        ]
        for task in beside:
            task.add_done_callback(self._note_failure)
        ears = _Ears(self, asyncio.get_running_loop())
        self._keeper = LeaseKeeper(self.name, self._ledger, self._posts, ears)
        self._keeper.start()
        try:
            await self._stopping.wait()
            await self._end(beside)
        finally:
            self._keeper.end()
            with suppress(StoreAway):
                await asyncio.to_thread(self._ledger.leave, self.name, {})
        if self._failure is not None:
            raise self._failure

    async def _end(self, beside: list[asyncio.Task[None]]) -> None:
        """Others take the shards as they become free."""
        turning, *looking = beside
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)
        with suppress(StoreAway):
            await asyncio.to_thread(self._ledger.drain, self.name)
        for post in list(self._posts.values()):
            self._give_up(post)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        turning.cancel()

    def _note_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (failure := task.exception()) is not None:
            self._fail(failure)

    def _fail(self, failure: BaseException) -> None:
        self._failure = self._failure or failure
        self._stopping.set()

    async def _turn(self) -> None:
        """As long as this goes on, the loop is alive, and what it reports is of now."""
        while True:
            self.turned_s = unstopped_s()
            for post in self._posts.values():
                if post.run is not None:
                    post.report = post.run.report()
            await asyncio.sleep(LOOK_S)

    # shards

    async def _look_round(self) -> None:
        """Take what nobody runs, give what others should."""
        with suppress(StoreAway):
            await asyncio.to_thread(self._ledger.renew, self.name, {}, {}, 0.0)
        while True:
            try:
                await self._look()
            except StoreAway:
                self._is_back = True  # as soon as a look tells anything
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        asked_s = unstopped_s()
        rows = await asyncio.to_thread(self._ledger.owners)
        is_early = self._ends.come_early(rows, asked_s, unstopped_s())
        workers = await asyncio.to_thread(self._ledger.workers)
        if any(row.name == self.name and row.draining for row in workers):
            self._say("asked to drain: giving up all shards")
            self.stop()
            return
        if self._has_lapsed(rows, workers):
            self._is_back = True
            self._keeper.renew_soon()
            return
        if self._is_back:
            self._is_back = False
            self._claims_from_s = unstopped_s() + BACK_S
        lacking = share_of(self.name, workers, rows) - len(self._posts)
        wanted = max(lacking, self._count_left_lying(rows))
        if wanted > 0 and not is_early and unstopped_s() >= self._claims_from_s:
            await self._claim(wanted)
        for shard in shards_to_give(self.name, workers, rows):
            if shard in self._posts:
                self._give_up(self._posts[shard])

    def _has_lapsed(
        self, rows: Sequence[OwnerRow], workers: Sequence[WorkerRow]
    ) -> bool:
        """Whether the ledger has ended what this worker may still go on with."""
        epochs = {shard: post.lease.epoch for shard, post in self._posts.items()}
        return all(row.name != self.name for row in workers) or any(
            row.left_s <= 0.0
            and row.owner == self.name
            and row.epoch == epochs.get(row.shard)
            for row in rows
        )

    def _count_left_lying(self, rows: list[OwnerRow]) -> int:
        """Shards that nobody takes: those whose share they are may be dead, too."""
        now_s = unstopped_s()
        free = [row.shard for row in rows if row.left_s <= 0.0]
        self._free_since_s = {
            shard: self._free_since_s.get(shard, now_s) for shard in free
        }
        lying = (now_s - since_s for since_s in self._free_since_s.values())
        return sum(lain_s > LYING_S for lain_s in lying)

    async def _claim(self, most: int) -> None:
        asked_s = unstopped_s()
        leases = await asyncio.to_thread(self._ledger.claim, self.name, most)
        for lease in leases:
            tenure = Tenure()
            tenure.renew(asked_s)
            self._take(Post(lease, tenure, lease.rate_per_s, lease.rate_per_s))

    def _take(self, post: Post) -> None:
        shard = post.lease.shard
        if (
            shard in self._posts
        ):  # of an epoch that is over; who follows waits for its folder
            self._posts[shard].tenure.end()
            self._give_up(self._posts[shard])
        self._posts[shard] = post
        task = asyncio.create_task(self._run_shard(post))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_shard(self, post: Post) -> None:
        shard = post.lease.shard
        try:
            post.run = await self._open_shard(post.lease, post.tenure)
            if post.leaving:  # by now
                post.run.stop()
            post.report = post.run.report()
            await post.run.run()
            await self._report_last(shard, post.run.report())
        except Fenced as fenced:
            self._say(str(fenced))
        except StoreAway as away:  # whoever claims it goes on from what was saved
            self._say(f"shard {shard}: {away}: given up")
        except Exception as failure:
            self._fail(failure)
        finally:
            post.tenure.end()
            if self._posts.get(shard) is post:
                del self._posts[shard]
            await self._release(post.lease)

    async def _report_last(self, shard: int, report: str) -> None:
        """What people read of a shard while nobody runs it."""
        with suppress(StoreAway):
            said = {shard: report}
            await asyncio.to_thread(self._ledger.report, self.name, said)

    async def _release(self, lease: Lease) -> None:
        with suppress(StoreAway):
            await asyncio.to_thread(
                self._ledger.release, self.name, lease.shard, lease.epoch
            )

    def _give_up(self, post: Post) -> None:
        """Have it saved and released; others go on with it."""
        post.leaving = True
        if post.run is not None:
            post.run.stop()
        else:  # it cannot be closed half-way, but need not wait for its folder
            post.tenure.end()

    # the market

    async def _trade(self) -> None:
        """Bid now and then; as treasurer work towards the rates that follow from all bids."""
        bids_s = -math.inf
        while True:
            with suppress(StoreAway):
                if unstopped_s() >= bids_s + BID_S:
                    bids_s = unstopped_s()
                    await asyncio.to_thread(self._trader.bid, self._own_bids())
                await asyncio.to_thread(self._trader.settle)
            await asyncio.sleep(LOOK_S)

    def _own_bids(self) -> list[Bid]:
        bids = [post.run.bid() for post in self._posts.values() if post.run is not None]
        return [bid for bid in bids if bid is not None]

    # what the keeper hears, in the loop's thread

    def _lose(self, post: Post) -> None:
        if post.run is not None:
            post.run.stop()

    def _hear(self, told: list[tuple[Post, float]], asked_s: float) -> None:
        """By which rates shards spend from now on; then those that had stopped may go on."""
        for post, rate_per_s in told:
            if post.run is None or post.leaving:
                continue
            if rate_per_s != post.rate_per_s:
                post.run.spend(rate_per_s)
                post.rate_per_s = rate_per_s
            if not post.tenure.is_good():
                post.tenure.renew(asked_s)
                post.run.wake()


class _Ears:
    """lease_keeper.Ears: what the keeper hears is told in the loop's thread."""

    def __init__(self, worker: Worker, loop: asyncio.AbstractEventLoop) -> None:
        self._worker = worker
        self._loop = loop

    @property
    def turned_s(self) -> float:
        return self._worker.turned_s

    def lose(self, post: Post) -> None:
        self._call(self._worker._lose, post)

    def hear(self, told: list[tuple[Post, float]], asked_s: float) -> None:
        self._call(self._worker._hear, told, asked_s)

    def fail(self, failure: BaseException) -> None:
        self._call(self._worker._fail, failure)

    def _call(self, heed: Callable[..., None], *said: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(heed, *said)
