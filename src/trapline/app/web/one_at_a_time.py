"""Work that takes seconds of a processor: one at a time, and never a long line for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from starlette.concurrency import run_in_threadpool

from trapline.core.errors import SearchBusy

WAITING: Final = 16  # that may stand in line

T = TypeVar("T")


class OneAtATime:
    """Those who wait hold no thread, so that everybody else is answered meanwhile."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def run(self, work: Callable[[], T]) -> T:
        """SearchBusy if too many wait already."""
        if self._waiting >= WAITING:
            raise SearchBusy("too many ask the same kind of thing just now")
        self._waiting += 1
        try:
            async with self._turn:
                return await run_in_threadpool(work)
        finally:
            self._waiting -= 1
