"""A thread that renews what a worker owns, so that a busy loop loses nothing; but only while the
loop is alive.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Final, Protocol

from trapline.cluster.post import Post
from trapline.core.errors import StoreAway
from trapline.core.ledger import RENEW_S, Ledger
from trapline.live.awake_loop import unstopped_s

HUNG_S: Final = 30.0  # a loop that has not turned for so long owns nothing any more


class Ears(Protocol):
    """Whom the keeper tells what it hears, in the thread of the keeper."""

    @property
    def turned_s(self) -> float:
        """When the loop was last seen alive."""

    def lose(self, post: Post) -> None:
        """It is another's by now."""

    def hear(self, told: list[tuple[Post, float]], asked_s: float) -> None:
        """These are still the worker's, each with the rate by which it is to spend."""

    def fail(self, failure: BaseException) -> None: ...


class LeaseKeeper(threading.Thread):
    def __init__(
        self, name: str, ledger: Ledger, posts: Mapping[int, Post], ears: Ears
    ) -> None:
        """`name` is the worker's; `posts`, by shard, change while it runs."""
        super().__init__(name="leases", daemon=True)
        self._worker = name
        self._ledger = ledger
        self._posts = posts
        self._ears = ears
        self._due = threading.Event()
        self._is_over = False
        self._processor_s = time.process_time()
        self._asked_s = unstopped_s()

    def run(self) -> None:
        while not self._wait():
            if unstopped_s() - self._ears.turned_s >= HUNG_S:
                continue
            try:
                self._renew()
            except StoreAway:
                continue  # it may be back next time
            except Exception as failure:
                self._ears.fail(failure)
                return

    def renew_soon(self) -> None:
        """Without waiting for the next turn: the leases have ended."""
        self._due.set()

    def end(self) -> None:
        self._is_over = True
        self._due.set()
        self.join()

    def _wait(self) -> bool:
        """Until leases are to be renewed; whether all is over."""
        self._due.wait(RENEW_S)
        self._due.clear()
        return self._is_over

    def _renew(self) -> None:
        posts = dict(self._posts)
        held = {shard: post.lease.epoch for shard, post in posts.items()}
        heard = {
            # the loop may be about to hear of a raise
            shard: max(post.rate_per_s, post.told_per_s)
            for shard, post in posts.items()
        }
        load = self._load()
        asked_s = unstopped_s()
        rates = self._ledger.renew(self._worker, held, heard, load)
        for shard, post in posts.items():
            if shard not in rates:
                post.tenure.end()
                self._ears.lose(post)
            elif post.tenure.is_good():
                post.tenure.renew(asked_s)
            # else: not before it spends by the rate of now
        for shard, rate in rates.items():
            posts[shard].told_per_s = rate
        self._ears.hear(
            [(posts[shard], rate) for shard, rate in rates.items()], asked_s
        )
        reports = {shard: posts[shard].report for shard in rates}
        self._ledger.report(self._worker, reports)

    def _load(self) -> float:
        """The share of a processor that this process has used since the last call."""
        processor_s = time.process_time()
        now_s = unstopped_s()
        used = (processor_s - self._processor_s) / max(now_s - self._asked_s, 1e-3)
        self._processor_s = processor_s
        self._asked_s = now_s
        return used
