"""Parking lots: where pages wait whose turn came while their host was not ready.

At most four a host.

>>> lots = ParkingLots()
>>> [lots.park(page, host=7) for page in (1, 2, 2, 3, 4, 5)]
[True, True, False, True, True, False]
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from trapline.core.cards import BY_DUE, GONE, IDLE, Cards, Hosts
from trapline.core.ports import Arrays

LOT: Final = 4  # pages that may wait for one host


class ParkingLots:
    def __init__(self) -> None:
        self._parked: dict[int, int] = {}  # page → host, oldest first
        self._waiting: Counter[int] = Counter()  # pages by host

    def park(self, page: int, host: int) -> bool:
        """False if its lot is full, or the page waits there already."""
        if page in self._parked or self._waiting[host] >= LOT:
            return False
        self._parked[page] = host
        self._waiting[host] += 1
        return True

    def leave(self, page: int) -> None:
        host = self._parked.pop(page)
        self._waiting[host] -= 1
        if not self._waiting[host]:
            del self._waiting[host]

    def first_ready(self, cards: Cards, hosts: Hosts) -> int:
        """The page that waits longest among those that may be visited now leaves its lot; −1 =
        none.
        """
        if not self._parked:
            return -1
        pages = np.fromiter(self._parked, np.int64, len(self._parked))
        for page in pages[cards["state"][pages] == GONE].tolist():
            self.leave(page)
        ready = (cards["filed"][pages] == BY_DUE) & (
            hosts["state"][cards["host"][pages]] == IDLE
        )
        if not ready.any():
            return -1
        page = int(pages[np.argmax(ready)])
        self.leave(page)
        return page

    def state(self) -> Arrays:
        return {"parked": np.array(list(self._parked.items()), np.int32).reshape(-1, 2)}

    def restore(self, state: Arrays) -> None:
        rows = np.asarray(state["parked"]).tolist()
        self._parked = dict(rows)
        self._waiting = Counter(self._parked.values())
