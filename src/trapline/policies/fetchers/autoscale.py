"""autoscale: Crawlee's rule. Every 10 s: 5 % fewer when the machine was overloaded, else 5 % more.

Overloaded = in more than 40 % of the samples of the last 30 s the CPU was busy for over 95 % of the
time; here the CPU is the response processor. It starts at 10 and stays within 1 and 100. No word
from the servers or the queue: a slower server frees the CPU, so it sends more
(crawlee-python#1437).

>>> policy = Autoscale(most=100, capacity=64)
>>> for _ in range(30):  # half a minute at leisure
...     policy.learn(QueueTally(1.0, 8, 8, 1.0, 0.5, 0))
>>> policy.level
13
"""

from __future__ import annotations

import math
from collections import deque
from typing import Final

from trapline.core.records import QueueTally
from trapline.policies.fetchers.level_policy import LevelPolicy

_START: Final = 10
_MOST: Final = 100
_EVERY_S: Final = 10.0
_MEMORY_S: Final = 30.0
_SAMPLE_S: Final = 1.0
_BUSY: Final = 0.95
_OVERLOADED_SHARE: Final = 0.4
_STEP: Final = 0.05


class Autoscale(LevelPolicy):
    patience = 32

    def __init__(self, most: int, capacity: int) -> None:
        super().__init__(most, capacity, min(most, _START))
        self._samples: deque[bool] = deque(maxlen=round(_MEMORY_S / _SAMPLE_S))
        self._sampled_s = self._busy_s = self._since_s = 0.0

    def learn(self, tally: QueueTally) -> None:
        self._sampled_s += tally.elapsed_s
        self._busy_s += tally.busy_s
        self._since_s += tally.elapsed_s
        if self._sampled_s >= _SAMPLE_S:  # one long tally is several samples alike
            share = self._busy_s / self._sampled_s
            samples = math.floor(self._sampled_s / _SAMPLE_S)
            self._samples.extend(
                [share > _BUSY] * min(samples, round(_MEMORY_S / _SAMPLE_S))
            )
            self._sampled_s -= samples * _SAMPLE_S
            self._busy_s = share * self._sampled_s
        if self._since_s >= _EVERY_S and self._samples:
            self._since_s %= _EVERY_S
            self._rescale()

    def _rescale(self) -> None:
        overloaded = sum(self._samples) / len(self._samples) > _OVERLOADED_SHARE
        change = max(1, math.ceil(_STEP * self.level))
        self.keep_awake(
            min(self.level - change if overloaded else self.level + change, _MOST)
        )
