"""A fetcher policy that keeps a number of fetchers awake, whatever the queue: the frame of all
rules but `talim`'s.

>>> policy = LevelPolicy(most=4, capacity=5, level=2)
>>> # At a departure with 3 in the queue: wake one if fewer than 2 are awake.
>>> policy.wakes()[0, 3, :]
array([ True,  True, False, False, False])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_count
from trapline.core.records import QueueTally
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.theory.queueing.switching import level_wakes


class LevelPolicy(FetcherPolicy):
    patience = 64

    def __init__(self, most: int, capacity: int, level: int) -> None:
        check_count("the number of fetchers", most, "nobody else brings pages")
        check_count(
            "the room of the queue", capacity, "the page being processed needs a place"
        )
        check_count(
            "the number of fetchers to keep awake", level, "nobody else brings pages"
        )
        if level > most:
            raise BadNumber(
                "the number of fetchers to keep awake",
                level,
                f"at most {most}, all that there are",
            )
        self.most = most
        self.capacity = capacity
        self.start = level
        self._level = level
        self._wakes = level_wakes(capacity, most, level)

    @property
    def level(self) -> int:
        return self._level

    def keep_awake(self, level: float) -> None:
        """As near to `level` as whole fetchers and the limits allow."""
        wanted = min(max(round(level), 1), self.most)
        if wanted != self._level:
            self._level = wanted
            self._wakes = level_wakes(self.capacity, self.most, wanted)

    def wakes(self) -> NDArray[np.bool_]:
        return self._wakes

    def learn(self, tally: QueueTally) -> None:
        """Nothing: a rule that measures overrides this."""
