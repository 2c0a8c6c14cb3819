"""The edge where real time comes in: seconds that never decrease, and calls at a time."""

from __future__ import annotations

import asyncio
import math
import selectors
from collections.abc import Callable
from typing import Any, Final

NAP_S: Final = 1.0  # less is nothing: two clocks never run quite alike


class LiveClock:
    """Seconds of the running event loop, shifted so that they begin at `start_s`. Handed to
    everything that asks for the time.

    The loop's seconds may stand still while the robot does. Those of `unstopped` never do: what
    they are ahead is let pass, and `on_wake(slept_s, now_s)` is called before anybody hears of it.
    """

    def __init__(
        self,
        start_s: float,
        unstopped: Callable[[], float] | None = None,
        on_wake: Callable[[float, float], None] = lambda *_: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._unstopped = unstopped or self._loop.time
        self._on_wake = on_wake
        loop_s = self._loop.time()
        self._shift_s = start_s - loop_s if start_s else 0.0
        self._ahead_s = self._unstopped() - loop_s

    def now(self) -> float:
        # In this order: whoever is held up between the two readings has not slept.
        unstopped_s = self._unstopped()
        loop_s = self._loop.time()
        slept_s = unstopped_s - loop_s - self._ahead_s
        if slept_s > NAP_S:
            self._ahead_s += slept_s
            self._shift_s += slept_s
            self._on_wake(slept_s, loop_s + self._shift_s)
        return loop_s + self._shift_s

    def set(self, now_s: float) -> None:
        self._shift_s = now_s - self._loop.time()

    def call_at(
        self, when_s: float, callback: Callable[[], None]
    ) -> asyncio.TimerHandle:
        return self._loop.call_at(when_s - self._shift_s, callback)


class Alarm:
    """One call at a time that may be changed; set anew after it has rung."""

    def __init__(self, clock: LiveClock, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._timer: asyncio.TimerHandle | None = None
        self._when_s = math.inf  # when it will ring

    def set(self, when_s: float) -> None:
        """Ring at this time only; infinity means never."""
        if when_s == self._when_s:  # as it was: timers cost
            return
        self.cancel()
        self._when_s = when_s
        if when_s < math.inf:
            self._timer = self._clock.call_at(when_s, self._ring)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._when_s = math.inf

    def _ring(self) -> None:
        self._timer = None
        self._when_s = math.inf
        self._callback()


class _LeapingSelector(selectors.DefaultSelector):
    """A selector that never waits: where asyncio would sleep, time leaps to the next timer."""

    loop: PretendLoop

    def select(self, timeout: float | None = None) -> Any:
        if timeout is not None and timeout > 0.0:
            self.loop.leap()
        # None: only real input can go on from here
        return super().select(0.0 if timeout is not None else 0.05)


class PretendLoop(asyncio.SelectorEventLoop):
    """An event loop in pretend time, so that tests run the live loop itself.

    Hours pass as fast as the work in them allows.
    """

    def __init__(self) -> None:
        selector = _LeapingSelector()
        super().__init__(selector)
        selector.loop = self
        self._pretend_s = 0.0

    def time(self) -> float:
        return self._pretend_s if hasattr(self, "_pretend_s") else 0.0

    def leap(self) -> None:
        """To the instant of the next timer exactly, so that pretend times are what was asked for,
        to the last bit.
        """
        scheduled: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        if scheduled:
            self._pretend_s = max(self._pretend_s, scheduled[0].when())
            # asyncio fires what lies within its clock's resolution: the smallest one keeps instants
            # apart.
            self._clock_resolution = math.ulp(self._pretend_s)
