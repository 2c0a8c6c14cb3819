"""Several response queues, each with its processor, and fetchers that may go to any of them.

Times are exponential, as in `talim`; a page that finds its queue full is lost. A control is a table
for each area, worth[queue, at work]: the fetcher that came home, and at a departure one that rests,
goes where the worth is greatest, if it is above 0.

>>> from trapline.theory.queueing.areas.shares import level_worths
>>> area = FetcherQueue(fetch_rate=0.1, process_rate=1.0, capacity=5, starvation_weight=1.4)
>>> world = AreaWorld([area, area], fetchers=20, seed=1)
>>> seen = world.run(level_worths([area, area], [10, 10], fetchers=20), events=200_000)
>>> round(seen.cost, 1)  # twice what the paper's Table 1 says of one
0.8
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.theory.kernel import kernel
from trapline.theory.queueing.areas.shares import check_areas
from trapline.theory.queueing.fetcher_queue import FetcherQueue

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# What is counted, beside the time.
_COST, _AT_WORK = range(2)


@kernel
def _best_area(
    worths: Floats,
    queue: Ints,
    active: Ints,
) -> int:
    """Where one more is worth most; −1 if it is worth nothing anywhere."""
    best = -1
    most = 0.0
    for area in range(len(queue)):
        worth = worths[area, queue[area], active[area]]
        if worth > most:
            most = worth
            best = area
    return best


@kernel
def _next_event(
    rates: Floats,
    queue: Ints,
    active: Ints,
    chances: Floats,
    draw: float,
) -> int:
    """2·area is a departure there, 2·area + 1 an arrival; `chances` are filled, the total last."""
    total = 0.0
    for area in range(len(queue)):
        total += rates[area, 1] if queue[area] > 0 else 0.0
        chances[2 * area] = total
        total += rates[area, 0] * active[area]
        chances[2 * area + 1] = total
    event = 0
    while chances[event] <= draw * total and event < len(chances) - 1:
        event += 1
    return event


@kernel
def _run(
    rates: Floats,
    room: Ints,
    worths: Floats,
    queue: Ints,
    active: Ints,
    sums: Floats,
    fetchers: int,
    events: int,
    rng: np.random.Generator,
) -> float:
    """So many events; the time they took. `rates[area]` are λ, μ and γ."""
    elapsed = 0.0
    chances = np.zeros(2 * len(queue))
    for _ in range(events):
        event = _next_event(rates, queue, active, chances, rng.random())
        seconds = rng.standard_exponential() / chances[-1]
        elapsed += seconds
        sums[_AT_WORK] += active.sum() * seconds
        for area in range(len(queue)):
            if queue[area] == 0:
                sums[_COST] += rates[area, 2] * seconds
        area = event // 2
        if event % 2:
            sums[_COST] += queue[area] == room[area]
            queue[area] = min(queue[area] + 1, room[area])
            active[area] -= 1
        else:
            queue[area] -= 1
        if active.sum() < fetchers:
            sent = _best_area(worths, queue, active)
            if sent < 0 and active.sum() == 0 and queue.sum() == 0:
                sent = area  # or nothing would ever happen again
            if sent >= 0:
                active[sent] += 1
    return elapsed


@dataclass(frozen=True, slots=True)
class SeenAreas:
    """Long-run measures of a run."""

    elapsed_s: float
    cost: (
        float  # a unit of time: starvation by its weight, and pages lost, of all areas
    )
    mean_fetchers: float


class AreaWorld:
    def __init__(
        self,
        areas: Sequence[FetcherQueue],
        fetchers: int,
        seed: int = 0,
    ) -> None:
        check_areas(areas, fetchers)
        self._rates = np.array(
            [
                (area.fetch_rate, area.process_rate, area.starvation_weight)
                for area in areas
            ]
        )
        self._room = np.array([area.capacity for area in areas])
        self._fetchers = fetchers
        self._queue = np.zeros(len(areas), dtype=np.int64)
        self._active = np.zeros(len(areas), dtype=np.int64)
        self._active[0] = 1
        self._rng = np.random.default_rng(seed)

    def run(
        self,
        worths: Sequence[Floats],
        events: int,
    ) -> SeenAreas:
        """So many events more, under these tables."""
        if len(worths) != len(self._room):
            raise BadNumber(
                "the number of tables", len(worths), f"{len(self._room)}, one an area"
            )
        sums = np.zeros(2)
        elapsed = _run(
            self._rates,
            self._room,
            self._in_one_array(worths),
            self._queue,
            self._active,
            sums,
            self._fetchers,
            events,
            self._rng,
        )
        cost, at_work = (float(one) / elapsed for one in sums)
        return SeenAreas(elapsed, cost, at_work)

    def _in_one_array(
        self,
        worths: Sequence[Floats],
    ) -> Floats:
        """Areas with fewer places in one array with the others."""
        shape = (len(worths), int(self._room.max()) + 1, self._fetchers + 1)
        tables = np.full(shape, -np.inf)
        for table, worth in zip(tables, worths, strict=True):
            table[: worth.shape[0], : worth.shape[1]] = worth
        return tables
