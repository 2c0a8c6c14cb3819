"""autothrottle: Scrapy's rule.

The delay between requests aims at latency/concurrency, halfway at each answer.

    delay ← min(max(target, (delay + target)/2), 60 s),   target = latency/concurrency

A delay between starts keeps latency/delay fetchers at work. It looks at the servers' latency only:
a slow processor and a full queue are nothing to it. Here the latency is the mean of the answers
since the last look, and the rule is applied once for each of them.

>>> policy = Autothrottle(most=64, capacity=64, concurrency=8)
>>> for _ in range(20):
...     policy.learn(QueueTally(1.0, 16, 16, 8.0, 0.5, 0))
>>> policy.level
8
"""

from __future__ import annotations

from typing import Final

from trapline.core.errors import check_rate
from trapline.core.records import QueueTally
from trapline.policies.fetchers.level_policy import LevelPolicy

_START_DELAY_S: Final = 5.0
_MOST_DELAY_S: Final = 60.0


class Autothrottle(LevelPolicy):
    patience = 64

    @classmethod
    def example_options(cls) -> dict[str, float]:
        return {"concurrency": 3.0}

    def __init__(self, most: int, capacity: int, concurrency: float = 1.0) -> None:
        """`concurrency` is AUTOTHROTTLE_TARGET_CONCURRENCY, Scrapy's default 1."""
        check_rate(
            "the concurrency aimed at", concurrency, "requests under way on average"
        )
        super().__init__(most, capacity, 1)
        self._concurrency = concurrency
        self._delay_s = _START_DELAY_S

    def learn(self, tally: QueueTally) -> None:
        if not tally.arrivals or tally.fetching_s <= 0.0:
            return
        latency_s = tally.fetching_s / tally.arrivals
        target_s = latency_s / self._concurrency
        # a shorter delay jumps to the target
        longer_s = max(self._delay_s - target_s, 0.0) * 0.5**tally.arrivals
        self._delay_s = min(target_s + longer_s, _MOST_DELAY_S)
        self.keep_awake(latency_s / self._delay_s)
