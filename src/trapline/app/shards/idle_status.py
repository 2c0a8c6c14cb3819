"""The note that an engine leaves with each commit, of a shard: while nothing happens it is written
every few seconds only. A process may have many shards that lie idle, and each commit costs.

>>> times = iter([0.0, 0.5, 1.0, 6.0])
>>> calls = iter([7, 7, 8, 8])
>>> note = IdleStatus(lambda: "said", lambda: next(calls), lambda: next(times))
>>> note(), note(), note(), note()
('said', None, 'said', 'said')
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from trapline.live.awake_loop import unstopped_s

EVERY_S: Final = 4.0  # less than the silence after which a robot is looked for


class IdleStatus:
    def __init__(
        self,
        status: Callable[[], str],
        calls: Callable[[], int],
        clock: Callable[[], float] = unstopped_s,
    ) -> None:
        """`calls` are those of the journal so far."""
        self._status = status
        self._calls = calls
        self._clock = clock
        self._noted_calls = -1
        self._noted_s = -math.inf

    def __call__(self) -> str | None:
        """None = the note of before will do."""
        calls = self._calls()
        now_s = self._clock()
        if calls == self._noted_calls and now_s < self._noted_s + EVERY_S:
            return None
        self._noted_calls = calls
        self._noted_s = now_s
        return self._status()
