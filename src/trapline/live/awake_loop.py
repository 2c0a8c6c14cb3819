"""An event loop whose clock stands still while the process does.

A process may be stopped (Ctrl-Z, a debugger, a virtual machine that is moved) or the machine may
sleep. Hosts that answered meanwhile are not late, so timeouts count only the time in which somebody
was awake to hear them.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

BEAT_S: Final = 1.0  # an idle loop looks at the clock this often
# Longer than any step takes: whoever was not here for so long was stopped.
STOPPED_S: Final = 5.0
# Goes on while the machine sleeps, and nobody can set it.
_UNSTOPPED: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def unstopped_s() -> float:
    """Seconds that pass whether or not anybody is awake."""
    return time.clock_gettime(_UNSTOPPED)


class AwakeSeconds:
    """Seconds of a clock, without the stretches in which nobody asked for the time.

    >>> readings = iter([100.0, 101.0, 141.5, 142.0])
    >>> awake = AwakeSeconds(lambda: next(readings))
    >>> [awake.now() for _ in range(3)]
    [101.0, 101.0, 101.5]
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._asked_s = seconds()
        self._stopped_s = 0.0

    def now(self) -> float:
        asked_s = self._seconds()
        passed_s = asked_s - self._asked_s
        self._asked_s = asked_s
        if passed_s > STOPPED_S:
            self._stopped_s += passed_s
        return asked_s - self._stopped_s


class _BeatingSelector(selectors.DefaultSelector):
    """A selector that never waits for long, so that a long silence has one meaning."""

    def select(self, timeout: float | None = None) -> Any:
        return super().select(BEAT_S if timeout is None else min(timeout, BEAT_S))


class AwakeLoop(asyncio.SelectorEventLoop):
    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._awake = AwakeSeconds(seconds)
        super().__init__(_BeatingSelector())

    def time(self) -> float:
        return self._awake.now()


def run_awake(work: Coroutine[Any, Any, None]) -> None:
    """asyncio.run, in such a loop."""
    with asyncio.Runner(loop_factory=AwakeLoop) as runner:
        runner.run(work)
