"""bandwidth: Nutch's rule (fetcher.bandwidth.target).

Every 30 s: so many fetchers as would just fill the target.

What one fetcher brought since the last look is taken as its rate; missing or surplus bandwidth
divided by it is the number added or stopped. In answers instead of bytes.

>>> policy = Bandwidth(most=100, capacity=64, target=40.0)
>>> policy.learn(QueueTally(30.0, 600, 600, 300.0, 20.0, 0, awake=10))  # ten brought 20 a second
>>> policy.level
20
"""

from __future__ import annotations

from typing import Final

from trapline.core.errors import check_rate
from trapline.core.records import QueueTally
from trapline.policies.fetchers.level_policy import LevelPolicy

_EVERY_S: Final = 30.0
_START: Final = 10  # Nutch's fetcher.threads.fetch


class Bandwidth(LevelPolicy):
    @classmethod
    def example_options(cls) -> dict[str, float]:
        return {"target": 0.8}

    def __init__(self, most: int, capacity: int, *, target: float) -> None:
        """`target` is in answers a second: what the operator believes the processor can take."""
        check_rate("the bandwidth aimed at", target, "answers a second")
        super().__init__(most, capacity, min(most, _START))
        self._target = target
        self._elapsed_s = 0.0
        self._arrivals = 0

    def learn(self, tally: QueueTally) -> None:
        self._elapsed_s += tally.elapsed_s
        self._arrivals += tally.arrivals
        if self._elapsed_s < _EVERY_S:
            return
        achieved = self._arrivals / self._elapsed_s
        awake = max(tally.awake, 1)
        self._elapsed_s = 0.0
        self._arrivals = 0
        if achieved > 0.0:
            self.keep_awake(
                awake + round((self._target - achieved) / (achieved / awake))
            )
