"""switching: the best dynamic plan for known rates: `talim`, section 3.

Fetchers are woken one by one, by two curves.

>>> policy = Switching(most=16, capacity=5, fetch_rate=0.1, process_rate=1.0, weight=1.4)
>>> policy.start, policy.wakes()[0, 3, 9], policy.wakes()[0, 4, 9]
(10, np.True_, np.False_)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import QueueTally
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.theory.queueing.fetcher_queue import FetcherQueue


class Switching(FetcherPolicy):
    patience = 1024

    @classmethod
    def example_options(cls) -> dict[str, float]:
        return {"fetch_rate": 0.1, "process_rate": 1.0}

    def __init__(
        self,
        most: int,
        capacity: int,
        *,
        fetch_rate: float,
        process_rate: float,
        weight: float = 1.0,
    ) -> None:
        """`weight` is γ/μ: what a second without a page to process costs, in pages that it could
        have processed.
        """
        queue = FetcherQueue(fetch_rate, process_rate, capacity, weight * process_rate)
        self.plan = queue.solve(most)
        self.start = max(1, round(self.plan.mean_fetchers))

    def wakes(self) -> NDArray[np.bool_]:
        return self.plan.wakes

    def learn(self, tally: QueueTally) -> None:
        """Nothing: it was told the rates."""
