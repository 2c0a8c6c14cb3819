"""Being in charge of a crawl in shards: of all who would say how it is made and start its workers,
one at a time may. Its lease in the ledger lasts from before anything is written until the last
worker has ended; whoever is killed is waited for.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from trapline.app.shards.crew.worker_names import name_worker
from trapline.core.errors import CrawlBusy, StoreAway
from trapline.core.ledger import RENEW_S, Ledger

LOOK_S: Final = 0.5  # between two looks whether one of before is gone


class Charge(threading.Thread):
    """Keeps the lease. `shown` names the crawl to people."""

    def __init__(self, ledger: Ledger, shown: str) -> None:
        super().__init__(name="charge", daemon=True)
        self._worker = name_worker("crawl")
        self._ledger = ledger
        self._shown = shown
        self._is_lost = False
        self._over = threading.Event()

    def take(self) -> None:
        """CrawlBusy if somebody else is in charge, and lives."""
        left_s = math.inf
        while (others_s := self._ledger.supervise(self._worker)) > 0.0:
            if others_s > left_s:
                raise CrawlBusy(self._shown)
            left_s = others_s
            time.sleep(LOOK_S)

    def check(self) -> None:
        """CrawlBusy if somebody else has taken it: this process slept for longer than a lease."""
        if self._is_lost:
            raise CrawlBusy(self._shown)

    def run(self) -> None:
        while not self._over.wait(RENEW_S):
            with suppress(StoreAway):  # it may be back next time
                self._is_lost = self._ledger.supervise(self._worker) > 0.0

    def end(self) -> None:
        self._over.set()
        self.join()
        with suppress(StoreAway):  # then the lease ends by itself
            self._ledger.leave(self._worker, {})


@contextmanager
def in_charge(ledger: Ledger, shown: str) -> Iterator[Charge]:
    """CrawlBusy if another process is."""
    charge = Charge(ledger, shown)
    charge.take()
    charge.start()
    try:
        yield charge
    finally:
        charge.end()
