"""How long the steps of an event loop take: whoever holds it up holds up all hosts."""

from __future__ import annotations

import asyncio
import heapq
import time
from typing import Any


class Steps:
    """Measures each callback by the time of its thread: what others on the machine do is no part
    of it.
    """

    def __init__(self, longest: int = 10) -> None:
        self.count = 0
        self._most = longest
        self._longest: list[tuple[float, int, str]] = []

    def watch(self) -> None:
        """From here on, in this process."""
        run: Any = asyncio.Handle._run

        def run_and_measure(handle: asyncio.Handle) -> None:
            began_s = time.thread_time()
            run(handle)
            self._note(time.thread_time() - began_s, handle)

        handles: Any = asyncio.Handle
        handles._run = run_and_measure

    def _note(self, took_s: float, handle: asyncio.Handle) -> None:
        self.count += 1
        step = (took_s, self.count, _name_of(handle))
        if len(self._longest) < self._most:
            heapq.heappush(self._longest, step)
        elif took_s > self._longest[0][0]:
            heapq.heappushpop(self._longest, step)

    def worst(self) -> list[tuple[float, str]]:
        """(milliseconds, what it was), the longest first."""
        return [
            (round(1e3 * took_s, 2), name)
            for took_s, _, name in sorted(self._longest, reverse=True)
        ]


def _name_of(handle: Any) -> str:
    """The coroutine of a task, else the function."""
    owner = getattr(handle._callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return getattr(owner.get_coro(), "__qualname__", "task")
    return getattr(handle._callback, "__qualname__", repr(handle._callback))
