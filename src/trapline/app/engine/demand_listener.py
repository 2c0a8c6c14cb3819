"""What people ask for, told to the refresh policy: pages that are shown and opened are worth more.

Servers of the folder count it (app/demand). Every now and then the robot looks whether they have
counted anything, or a day has passed. It tells the controller of each page whose factor has changed
enough to matter; through the journal, so that a restart knows of it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from trapline.app.demand.demand_file import FILE, day_now
from trapline.app.demand.wanted_pages import factors_wanted
from trapline.core.cards import HELD
from trapline.robot.journal import Journal

EVERY_S: Final = 10.0  # between two looks
AT_ONCE: Final = 1_000  # pages in one line of the journal
SAME: Final = 0.05  # in a factor, relative: not worth telling


@dataclass(slots=True)
class DemandListener:
    folder: Path
    journal: Journal
    gain: float  # the setting `refresh.demand`
    _seen: tuple[int, int] = (0, 0)  # day and time of the file that was read last
    _looked_s: float = -math.inf

    async def listen(self, now: Callable[[], float]) -> None:
        """Tell the controller what has changed since it was last told, now and then."""
        if now() < self._looked_s + EVERY_S:
            return
        self._looked_s = now()
        today = day_now()
        seen = (today, _written_ns(self.folder / FILE))
        if seen == self._seen:
            return
        self._seen = seen
        # beside the loop: somebody may be writing
        wanted = await asyncio.to_thread(self._wanted_factors, today)
        for some in _portions(changed_factors(self._present_factors(), wanted)):
            self.journal.weigh(some, now())
            await asyncio.sleep(0.0)

    def _wanted_factors(self, today: int) -> dict[int, float]:
        if self.gain <= 0.0:
            return {}
        held = self.journal.controller.agenda.count(HELD)
        return factors_wanted(self.folder, today, held, self.gain)

    def _present_factors(self) -> dict[int, float]:
        return self.journal.controller.refresh.factors()


def changed_factors(
    told: Mapping[int, float], wanted: Mapping[int, float]
) -> dict[int, float]:
    """The factors that are not what was told; those of pages no longer wanted become 1.

    >>> changed_factors({1: 1.5, 2: 2.0, 3: 3.0}, {1: 1.52, 2: 2.5, 4: 1.1})
    {2: 2.5, 3: 1.0, 4: 1.1}
    """
    pages = sorted(told.keys() | wanted.keys())
    now = {page: wanted.get(page, 1.0) for page in pages}
    return {
        page: factor
        for page, factor in now.items()
        if abs(factor - told.get(page, 1.0)) > SAME * factor
    }


def _written_ns(path: Path) -> int:
    """0 = there is no such file."""
    with suppress(FileNotFoundError):
        return path.stat().st_mtime_ns
    return 0


def _portions(factors: Mapping[int, float]) -> Iterator[dict[int, float]]:
    rest = iter(factors.items())
    while some := dict(islice(rest, AT_ONCE)):
        yield some
