"""The fetcher controller: how many fetchers to run. Here the simplest rule, a fixed number.

A state machine: it is asked at arrivals (a page came in), departures (a page was processed) and ticks.

>>> FixedFetchers(8).target(now_s=0.0, queue_length=3, active=2, event="arrival")
8
"""

from __future__ import annotations

from typing import Literal, Protocol

from trapline.core.errors import BadNumber

Event = Literal["arrival", "departure", "tick"]


class FetcherController(Protocol):
    def target(self, now_s: float, queue_length: int, active: int, event: Event) -> int:
        """How many fetchers should be at work from now on."""


class FixedFetchers:
    def __init__(self, count: int) -> None:
        if count < 1:
            raise BadNumber("the number of fetchers", count, "at least 1")
        self.count = count

    def target(self, now_s: float, queue_length: int, active: int, event: Event) -> int:
        return self.count
