"""Bounds that people set on how often a page is visited: never sooner, and at least so often.

Between them the learnt schedule decides. After a visit an offer stays closed until `least_s` have
passed; when `most_s` have passed without a visit, the page is due as if a person had ordered it.
The budget, robots.txt and gaps hold all the same.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays


class Interval(NamedTuple):
    least_s: float = 0.0
    most_s: float = math.inf


NO_BOUNDS = Interval()


class PageIntervals:
    def __init__(self) -> None:
        self._bounds: dict[int, Interval] = {}
        # visits a second that the upper bounds ask for together
        self.least_per_s = 0.0
        self._due_s: dict[int, float] = {}  # page → when it must be visited at last
        self._queue: list[
            tuple[float, int]
        ] = []  # the same; what is outdated is passed

    def bound(self, cards: Cards, intervals: Mapping[int, Interval]) -> list[int]:
        """From now on these bounds hold, and no others; returns the pages whose bounds changed.

        Raises BadNumber for bounds that contradict each other.
        """
        for interval in intervals.values():
            if not 0.0 <= interval.least_s <= interval.most_s or interval.most_s <= 0:
                raise BadNumber(
                    "an interval",
                    f"{interval.least_s:g} to {interval.most_s:g} s",
                    "from 0 on, its lower bound not above its upper one",
                )
        before = self._bounds
        self._bounds = {
            page: interval
            for page, interval in intervals.items()
            if interval != NO_BOUNDS
        }
        self._add_up()
        pages = sorted(before.keys() | self._bounds.keys())
        changed = [
            page for page in pages if self.of(page) != before.get(page, NO_BOUNDS)
        ]
        for page in changed:
            self._due_s.pop(page, None)
            last_s = float(cards["last"][page]) if page < len(cards) else -math.inf
            if last_s > -math.inf:
                self._plan(page, last_s)
        return changed

    def of(self, page: int) -> Interval:
        return self._bounds.get(page, NO_BOUNDS)

    def opens_s(self, cards: Cards, page: int) -> float:
        """Before this it is not visited again; −∞ = whenever."""
        interval = self._bounds.get(page)
        if interval is None:
            return -math.inf
        return float(cards["last"][page]) + interval.least_s

    def note_visit(self, cards: Cards, page: int, ended_s: float) -> None:
        """A visit ended, whatever came of it: nothing is offered before its least interval."""
        interval = self._bounds.get(page)
        if interval is None:
            return
        opens_s = ended_s + interval.least_s
        cards["not_before"][page] = max(float(cards["not_before"][page]), opens_s)
        self._plan(page, ended_s)

    def put_off(self, page: int, now_s: float) -> None:
        """Nobody answered for a visit: the page must be visited within its interval from now."""
        self._plan(page, now_s)

    def next_s(self) -> float:
        """When the next page must be visited at last; ∞ = none."""
        while self._queue and self._due_s.get(self._queue[0][1]) != self._queue[0][0]:
            heapq.heappop(self._queue)
        return self._queue[0][0] if self._queue else math.inf

    def overdue(self, now_s: float) -> Iterator[int]:
        """Pages that must be visited now; each is named once, until it was visited."""
        while self.next_s() <= now_s:
            _, page = heapq.heappop(self._queue)
            del self._due_s[page]
            yield page

    def move_times(self, by_s: float) -> None:
        self._due_s = {page: due_s + by_s for page, due_s in self._due_s.items()}
        self._order()

    def save(self) -> Arrays:
        rows = [
            (page, *interval, self._due_s.get(page, math.nan))
            for page, interval in self._bounds.items()
        ]
        return {"bounds": np.array(rows, np.float64).reshape(-1, 4)}

    def load(self, saved: Arrays) -> None:
        """Nothing is saved by those who knew of no bounds."""
        rows = np.asarray(saved.get("bounds", ()), np.float64).reshape(-1, 4).tolist()
        self._bounds = {int(page): Interval(*bounds) for page, *bounds, _ in rows}
        self._add_up()
        self._due_s = {
            int(page): due_s for page, _, _, due_s in rows if not math.isnan(due_s)
        }
        self._order()

    def _add_up(self) -> None:
        self.least_per_s = sum(1.0 / one.most_s for one in self._bounds.values())

    def _plan(self, page: int, last_s: float) -> None:
        most_s = self.of(page).most_s
        if most_s < math.inf:
            self._due_s[page] = last_s + most_s
            heapq.heappush(self._queue, (last_s + most_s, page))

    def _order(self) -> None:
        self._queue = sorted((due_s, page) for page, due_s in self._due_s.items())
