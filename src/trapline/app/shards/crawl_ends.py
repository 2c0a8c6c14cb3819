"""When a crawl in shards is over: by the clock, by its visits, or because nothing is left to do.

>>> from trapline.app.shards.shard_figures import CrawlFigures
>>> from trapline.core.ledger import WorkerRow
>>> idle = CrawlFigures([], [WorkerRow("a", 9.0, 0.0, False)])
>>> ends = CrawlEnds(None, None, before=idle)
>>> ends.has_come(idle, now_s=1.0), ends.has_come(idle, now_s=1.0 + IDLE_S)
(False, True)
>>> ends = CrawlEnds(5.0, None, before=idle)
>>> [ends.has_come(idle, now_s) for now_s in (3.0, 7.9, 8.0)]
[False, False, True]
"""

from __future__ import annotations

from typing import Final

from trapline.app.shards.shard_figures import CrawlFigures

# all shards have had nothing to do for so long: letters were under way
IDLE_S: Final = 10.0


class CrawlEnds:
    """The clock begins when the first worker is there: kernels may have to be compiled before."""

    def __init__(
        self, seconds: float | None, visits: int | None, before: CrawlFigures
    ) -> None:
        self._seconds = seconds
        self._visits = visits
        self._began_s: float | None = None
        self._before = before.visits
        self._idle_since_s: float | None = None

    def has_come(self, figures: CrawlFigures, now_s: float) -> bool:
        if self._began_s is None:
            if not figures.workers:
                return False
            self._began_s = now_s
        if self._seconds is not None and now_s >= self._began_s + self._seconds:
            return True
        if self._visits is not None and figures.visits - self._before >= self._visits:
            return True
        if not figures.is_idle:
            self._idle_since_s = None
            return False
        if self._idle_since_s is None:
            self._idle_since_s = now_s
        return now_s - self._idle_since_s >= IDLE_S
