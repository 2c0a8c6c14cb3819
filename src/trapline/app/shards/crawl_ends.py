"""When a crawl in shards is over: by the clock, by its visits, or because nothing is left to do.

>>> from trapline.app.shards.shard_figures import CrawlFigures
>>> idle = CrawlFigures([], [])
>>> ends = CrawlEnds(None, None, began_s=0.0, before=idle)
>>> ends.has_come(idle, now_s=1.0), ends.has_come(idle, now_s=1.0 + IDLE_S)
(False, True)
"""

from __future__ import annotations

from typing import Final

from trapline.app.shards.shard_figures import CrawlFigures

# all shards have had nothing to do for so long: letters were under way
IDLE_S: Final = 10.0


class CrawlEnds:
    def __init__(
        self,
        seconds: float | None,
        visits: int | None,
        began_s: float,
        before: CrawlFigures,
    ) -> None:
        self._seconds = seconds
        self._visits = visits
        self._began_s = began_s
        self._before = before.visits
        self._idle_since_s: float | None = None

    def has_come(self, figures: CrawlFigures, now_s: float) -> bool:
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
