"""static: the best fixed number for known rates, N(γ, K) of `talim`, Proposition 1.

>>> Static(most=64, capacity=5, fetch_rate=0.1, process_rate=1.0, weight=1.4).level
10
"""

from __future__ import annotations

from trapline.policies.fetchers.level_policy import LevelPolicy
from trapline.theory.queueing.fetcher_queue import FetcherQueue


class Static(LevelPolicy):
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
        super().__init__(most, capacity, min(most, queue.best_static().fetchers))
