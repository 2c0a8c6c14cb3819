"""Choosing in slots: the frame of policies that see ephemeral sources as the papers `whittle` and
`lspe` do.

Time comes in slots; in each the controller asks for pages until its budget is spent, and is handed
the dearest first. Prices are computed once a slot (or, on a continuous clock, at each choice). Of a
million only the few at the top are put in order: those above what the last slot's last choice paid,
or, where these do not suffice, a partial selection of all. A price of −∞ means never. Where the
best costs more than is left in the `purse`, nothing is chosen in its stead.

>>> class Oldest(SlottedChooser):
...     def prices(self, now: float) -> Floats:
...         return now - self.last
>>> chooser = Oldest(3)
>>> [chooser.choose(None, None, now_s=5.0) for _ in range(2)]
[0, 1]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BY_DUE, HELD, IDLE, Cards, Hosts
from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays, Seen
from trapline.policies.refresh.refresh_policy import KnownPages, RefreshPolicy
from trapline.theory.ephemeral.source import Sources

Floats = NDArray[np.float64]

_AT_LEAST: Final = 16  # pages that are put in order at a time
_BELOW: Final = 0.98  # of the price that the last choice of the slot before paid


def may_be_visited(cards: Cards | None, hosts: Hosts | None, page: int) -> bool:
    """Held, on offer, and on a host that is idle; a page on the fringe is discovery's affair.

    Without a controller, and so without cards or hosts, everything may.
    """
    if cards is None:
        return True
    if page >= len(cards) or cards["state"][page] != HELD:
        return False
    return hosts is None or bool(
        cards["filed"][page] == BY_DUE and hosts["state"][cards["host"][page]] == IDLE
    )


def sources_of(known: KnownPages) -> Sources:
    """A page as a source of ephemeral content, the content being the chance of a change.

    See theory/polling/whole_steps.py.
    """
    return Sources(known.rates, known.weights, known.rates)


class SlottedChooser(RefreshPolicy):
    """A Chooser over sources 0 … n−1, page i being source i. Subclasses price them,
    and may learn.
    """

    laboratory_only = True
    needs_truth = True
    weighted = True  # a source says what its content is worth
    chooses = True

    def __init__(self, sources: int, costs: Floats | None = None) -> None:
        """`costs` of a visit to each source, 1 unless told."""
        if sources < 1:
            raise BadNumber("the number of sources", sources, "at least 1")
        self.last = np.zeros(sources)  # when each was visited last
        self.costs = _check_costs(costs, sources)
        self.purse = math.inf  # what a visit may cost
        self.paid = 0.0  # for the last page chosen, per unit of cost
        self._slot = math.nan
        self._prices: Floats = np.zeros(0)
        self._order: list[int] = []  # dearest last
        self._taken = 0  # in this slot

    def prices(self, now: float) -> Floats:
        """What a visit to each source is worth now, per unit of cost."""
        raise NotImplementedError

    def learn(self, source: int, age: float, reward: float) -> None:
        """A visit after so long brought this."""

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        if now_s != self._slot:
            self._slot = now_s
            self._taken = 0
            self._prices = np.array(self.prices(now_s))
            self._order = self._top(self.paid * _BELOW)
        while (source := self._next()) >= 0:
            wanted = may_be_visited(cards, hosts, source)
            if wanted and self.costs[source] > self.purse:
                self._order.append(source)  # save for it
                return -1
            price = float(self._prices[source])
            self._prices[source] = -np.inf  # taken in this slot
            self._taken += 1
            if wanted:
                self.paid = price
                return source
        return -1

    def _next(self) -> int:
        if not self._order and len(self._prices):
            self._order = self._top(0.0)
            if not self._order:
                # nothing is left in this slot: do not look again
                self._prices = np.zeros(0)
        return self._order.pop() if self._order else -1

    def _top(self, floor: float) -> list[int]:
        """The dearest, cheapest first: all from `floor` on if it is above 0 and they are enough,
        else as many as seem needed. At equal prices the lower number is dearer.
        """
        prices = self._prices
        above = (
            np.flatnonzero(prices >= floor) if floor > 0.0 else np.zeros(0, np.int64)
        )
        if len(above) < min(_AT_LEAST, len(prices)):
            count = min(max(_AT_LEAST, self._taken), len(prices))
            edge = prices[np.argpartition(prices, -count)[-count:]].min()
            above = np.flatnonzero((prices >= edge) & (prices > -np.inf))
        order = np.lexsort((-above, prices[above]))
        chosen: list[int] = above[order].tolist()
        return chosen

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        if page >= len(self.last):
            return ()  # not one of its sources
        if seen.now_s > self.last[page] and not math.isinf(seen.age_s):
            self.learn(page, seen.now_s - self.last[page], seen.news)
        self.last[page] = seen.now_s
        # on offer; what it is worth is this policy's own affair
        cards["base"][page] = 0.0
        cards["cost"][page] = self.costs[page]
        return (page,)

    def state(self) -> Arrays:
        return {"last": self.last.copy()}

    def restore(self, state: Arrays) -> None:
        restore_in_place(self.last, state["last"])
        self._slot = math.nan  # prices are to be made anew


def restore_in_place(kept: NDArray[Any], saved: NDArray[Any]) -> None:
    """So that whoever shares the array sees it too."""
    if np.shape(saved) != kept.shape:
        raise BadNumber(
            "the size of what was saved",
            np.shape(saved),
            f"{kept.shape}, as it is here",
        )
    kept[...] = saved


def _check_costs(costs: Floats | None, sources: int) -> Floats:
    found = np.ones(sources) if costs is None else np.array(costs, np.float64)
    if found.shape != (sources,):
        raise BadNumber(
            "the number of costs", found.size, f"{sources}, one for each source"
        )
    bad = ~(np.isfinite(found) & (found > 0.0))
    if bad.any():
        raise BadNumber("the cost of a visit", found[bad][0], "a number above 0")
    return found
