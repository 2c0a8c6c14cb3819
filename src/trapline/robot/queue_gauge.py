"""What is measured at the response queue: the rates of a fetcher and of the processor, starvation,
blocked time.

Between two calls the counts were those of the first; so each call adds the time since the last one
at the old counts.

>>> gauge = QueueGauge(capacity=2)
>>> gauge.note(0.0, queue_length=0, active=1)
>>> gauge.note(3.0, queue_length=1, active=0)  # one fetcher worked for 3 s, the processor idled
>>> gauge.count("arrival")
>>> gauge.take(awake=1)  # doctest: +NORMALIZE_WHITESPACE
QueueTally(elapsed_s=3.0, arrivals=1, departures=0, fetching_s=3.0, busy_s=0.0, blocked=0,
           queue=1, awake=1, busy_squares=0.0, busy_cubes=0.0)
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Final, Literal

from trapline.core.errors import ClockWentBack
from trapline.core.records import QueueTally
from trapline.theory.queueing.drifting_rate import DriftingRate

_RECENT_S: Final = 60.0  # shares are over about the last minute


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """For people: how the queue between fetchers and processor is doing."""

    # λ, answers a second that one fetcher at work brings; NaN = not known yet
    fetch_rate: float
    process_rate: float  # μ, answers a second while there is something to process
    awake: int  # fetchers that may work
    active: int  # of those, at work
    queue: int  # answers waiting or being processed
    queue_room: int
    starvation: float  # share of the last minute without an answer to process
    blocked: int  # answers so far that found the queue full
    blocked_s: float  # fetcher-seconds so far spent holding one

    def as_dict(self) -> dict[str, float | None]:
        """For JSON, which knows no NaN: a rate not known yet is None."""
        return {
            name: None if math.isnan(value) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_dict(cls, values: dict[str, float | None]) -> QueueFigures:
        return cls(
            **{  # type: ignore[arg-type]
                name: math.nan if value is None else value
                for name, value in values.items()
            }
        )


class QueueGauge:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.events = 0  # since the last tally
        self._now_s = math.nan
        self._queue = self._active = 0
        self._arrivals = self._departures = self._blocked = 0
        self._elapsed_s = self._fetching_s = self._busy_s = 0.0
        self._in_hand_s = 0.0  # how long the answer in hand has been processed
        self._busy_squares = self._busy_cubes = 0.0
        self._fetching = DriftingRate()
        self._processing = DriftingRate()
        self._recent_s = self._starved_s = 0.0  # fading
        self._blocked_ever = 0
        self._blocked_s = 0.0

    def note(self, now_s: float, queue_length: int, active: int) -> None:
        """The counts are these from now on. `queue_length` counts answers that found no
        place, too.
        """
        if now_s < self._now_s:
            raise ClockWentBack(now_s, self._now_s)
        if now_s > self._now_s:
            self._pass(now_s - self._now_s)
        self._now_s = now_s
        self._queue = queue_length
        self._active = active

    def skip_to(self, now_s: float) -> None:
        """The time up to now is nobody's, or was told wrong."""
        self._now_s = now_s

    def _pass(self, elapsed_s: float) -> None:
        busy = self._queue > 0
        self._elapsed_s += elapsed_s
        self._fetching_s += elapsed_s * self._active
        self._busy_s += elapsed_s * busy
        self._in_hand_s += elapsed_s * busy
        kept = math.exp(-elapsed_s / _RECENT_S)
        # the seconds passed, each as far as it has not faded yet
        fading_s = _RECENT_S * (1.0 - kept)
        self._recent_s = self._recent_s * kept + fading_s
        self._starved_s = self._starved_s * kept + fading_s * (not busy)
        self._blocked_s += elapsed_s * max(0, self._queue - self.capacity)

    def count(self, event: Literal["arrival", "departure"]) -> None:
        """The event that led to the counts just noted."""
        self.events += 1
        if event == "departure":
            self._departures += 1
            self._busy_squares += self._in_hand_s**2
            self._busy_cubes += self._in_hand_s**3
            self._in_hand_s = 0.0
            return
        self._arrivals += 1
        full = self._queue > self.capacity
        self._blocked += full
        self._blocked_ever += full

    def take(self, awake: int) -> QueueTally:
        """What happened since the last tally."""
        tally = QueueTally(
            self._elapsed_s,
            self._arrivals,
            self._departures,
            self._fetching_s,
            self._busy_s,
            self._blocked,
            min(self._queue, self.capacity),
            awake,
            self._busy_squares,
            self._busy_cubes,
        )
        self._fetching.add(tally.arrivals, tally.fetching_s)
        self._processing.add(tally.departures, tally.busy_s)
        self.events = self._arrivals = self._departures = self._blocked = 0
        self._elapsed_s = self._fetching_s = self._busy_s = 0.0
        self._busy_squares = self._busy_cubes = 0.0
        return tally

    def figures(self, awake: int) -> QueueFigures:
        return QueueFigures(
            fetch_rate=self._fetching.rate_with(self._arrivals, self._fetching_s),
            process_rate=self._processing.rate_with(self._departures, self._busy_s),
            awake=awake,
            active=self._active,
            queue=min(self._queue, self.capacity),
            queue_room=self.capacity,
            starvation=self._starved_s / self._recent_s
            if self._recent_s > 0.0
            else 1.0,
            blocked=self._blocked_ever,
            blocked_s=self._blocked_s,
        )
