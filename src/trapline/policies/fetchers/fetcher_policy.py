"""The base of all fetcher policies: how many fetchers to run.

A policy holds a table of wake-ups and revises it from what is measured at the response queue.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import QueueTally


class Reserves(NamedTuple):
    """What visits must be worth now, so that they are made."""

    # by how many fetchers are at work: of the next one; −∞ = any visit will do
    prices: NDArray[np.float64]
    usual: float  # what a visit without a price is taken to be worth

    def beyond(self, active: int) -> Reserves:
        """Of the first visit to be bought now, the second, … if so many are at work."""
        return Reserves(self.prices[active:], self.usual)


class FetcherPolicy:
    start: int  # fetchers awake at the beginning
    patience: int = 64  # events between two tallies
    learns_by_kernel: ClassVar[bool] = (
        False  # the laboratory may run its kernels, event by event
    )

    # `reserves` says which visits are worthwhile, beside how many fetchers may work
    prices_visits: ClassVar[bool] = False
    explores: ClassVar[bool] = False  # it tries out decisions that look worse

    def __init__(self, most: int, capacity: int) -> None:
        """For at most `most` fetchers before a queue of `capacity` places."""

    @classmethod
    def example(cls, most: int, capacity: int, **options: Any) -> Self:
        """One with options that fit any queue, as tests and comparisons use it."""
        return cls(most, capacity, **{**cls.example_options(), **options})

    @classmethod
    def example_options(cls) -> dict[str, float]:
        """What an example must be told."""
        return {}

    def wakes(self) -> NDArray[np.bool_]:
        """[event, queue, awake] → wake one?

        Event 0 is a departure, 1 an arrival; both counts are those just before.
        """
        raise NotImplementedError

    def reserves(self, queue: int) -> Reserves:
        """What the next visits must be worth, with so many answers in the queue."""
        raise NotImplementedError

    def note_visit(self, price: float, loss_per_s: float) -> None:
        """A visit was bought; what it brings loses so much of its worth a second until it is
        read.
        """

    def learnt_wakes(self) -> NDArray[np.bool_]:
        """The table that it has come to, without what it tries out."""
        return self.wakes()

    def learn(self, tally: QueueTally) -> None:
        """`patience` events have passed; the table may be another now."""
