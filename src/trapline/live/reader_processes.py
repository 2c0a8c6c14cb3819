"""Reading beside the robot: answers are read by processes of their own while the crawl goes on.

A reader is a fork of the robot: code and kernels are loaded already, and their memory is shared. It
ends when the robot does.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import Final

from trapline.core.records import Fetched
from trapline.live.reader import Reader
from trapline.live.reader_child import Read
from trapline.reading.answer import read_answer
from trapline.reading.readings import Reading
from trapline.reading.rules.reading_rules import NO_RULES, ReadingRules

MOST: Final = 3  # readers: beyond that the loop itself has no time left


def readers_here() -> int:
    """How many readers there should be: one core is left to the robot.

    0 where processes cannot fork safely; there the robot reads for itself.
    """
    if sys.platform != "linux":
        return 0
    return min(MOST, len(os.sched_getaffinity(0)) - 1)


def readers_for(asks: bool) -> int:
    """How many there should be if pages have rules (`asks`): then at least one, if possible.

    Only a process of its own can be stopped when an expression takes for ever.
    """
    return max(readers_here(), 1 if asks and sys.platform == "linux" else 0)


class ReaderProcesses:
    """So many processes, perhaps none; tests may replace what they do, `read`."""

    def __init__(self, processes: int, read: Read = read_answer) -> None:
        self._readers = [Reader(read) for _ in range(processes)]

    def __len__(self) -> int:
        return len(self._readers)

    async def start(self) -> None:
        """Best before the robot has threads: a fork has only one."""
        for reader in self._readers:
            # out of processes: tried again when there is something to read
            with contextlib.suppress(OSError):
                await reader.start()

    def read(
        self, fetched: Fetched, rules: ReadingRules = NO_RULES
    ) -> asyncio.Future[Reading]:
        return min(self._readers, key=lambda reader: reader.load).read(fetched, rules)

    def close(self) -> None:
        """Drop what is not read by now."""
        for reader in self._readers:
            reader.close()
