"""The base of all fetcher policies: how many fetchers to run.

A policy holds a table of wake-ups and revises it from what is measured at the response queue.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import QueueTally


class FetcherPolicy:
    start: int  # fetchers awake at the beginning
    patience: int = 64  # events between two tallies
    learns_by_kernel: ClassVar[bool] = (
        False  # the laboratory may run its kernels, event by event
    )

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

    def learnt_wakes(self) -> NDArray[np.bool_]:
        """The table that it has come to, without what it tries out."""
        return self.wakes()

    def learn(self, tally: QueueTally) -> None:
        """`patience` events have passed; the table may be another now."""
