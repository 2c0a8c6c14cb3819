"""whittle: the index policy for ephemeral sources whose parameters are known (paper `whittle`, Theorem 1).

On the continuous clock it writes offers: worth Λξ/c at rate c, the limit of the paper's price for short slots
(theory/price.py). In the paper's slots `SlottedWhittle` chooses by the exact slotted price: by age, where a source's
content is not seen between visits, and by what is there, where it is. The paper says that the index is the same for
both; at low rates it is not, and `ObservedIndex` (theory/ephemeral/observed.py) may be handed in instead.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> sources = Sources.of([EphemeralSource(250, 1.0, 0.7), EphemeralSource(250, 0.7, 0.35)])
>>> Whittle(sources).memory.round(3).tolist()  # rate, worth, cost
[[0.7, 357.143, 1.0], [0.35, 500.0, 1.0]]
>>> SlottedWhittle(sources).choose(None, None, now_s=2.0)
0
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards, Hosts
from trapline.core.errors import BadNumber
from trapline.policies.card_policy import CardPolicy, Numbers
from trapline.policies.due_sources import DueSources, some_of
from trapline.policies.slotted import Floats, SlottedChooser, may_be_visited
from trapline.theory.ephemeral.source import Sources
from trapline.theory.kernel import bare_kernel

_FEW: Final = 16  # sources that are put in order at a time
_MORE: Final = 12  # times the visits of a slot are to reach the floor
_SPARE: Final = 128  # times as many, and the floor is too low


@bare_kernel
def _settle(
    cards: Cards, numbers: Numbers, memory: Numbers, page: int, outcome: int, changed: bool,
    relevance: float, news: float, age_s: float, now_s: float,
) -> None:  # fmt: skip
    cards["base"][page] = 0.0
    cards["rate"][page, 0] = memory[page, 0]
    cards["worth"][page, 0] = memory[page, 1]
    cards["shape"][page, 0] = math.inf
    if memory[page, 2] > 0.0:  # 0: not one of its sources
        cards["cost"][page] = memory[page, 2]


class Whittle(CardPolicy):
    roles = frozenset({"refresh"})
    laboratory_only = True
    columns = 3
    settle_kernel = staticmethod(_settle)

    def __init__(self, sources: Sources) -> None:
        super().__init__()
        self.memory = np.column_stack((sources.decay, sources.ceiling, sources.cost)).astype(np.float64)


class SlottedWhittle(SlottedChooser):
    def __init__(
        self,
        sources: Sources,
        *,
        observed: NDArray[np.bool_] | None = None,
        seen: Callable[[], Floats] | None = None,
        index: Callable[[Floats], Floats] | None = None,
    ) -> None:
        """`observed` says which sources' content is seen in every slot, `seen()` what it is; `index(content)` prices it
        (without it the paper's formula does).
        """
        super().__init__(len(sources))
        if (observed is None) != (seen is None):
            raise BadNumber("what is seen of observed sources", seen, "given together with which are observed")
        self._sources = sources
        self._observed = observed
        self._seen = seen
        self._index = sources.price_at if index is None else index

    def prices(self, now: float) -> Floats:
        prices = self._sources.price(now - self.last)
        if self._observed is None or self._seen is None:
            return prices
        return np.where(self._observed, self._index(self._seen()), prices)


class ManySourcesWhittle(SlottedChooser):
    """The choices of SlottedWhittle by age, for a million sources: only those are priced whose price may be paid."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(len(sources))
        self._sources = sources
        self._due = DueSources(sources, self.last)
        self._floor = 0.0
        self._queue: list[tuple[float, int]] = []  # cheapest first
        self._chosen: list[int] = []  # in this slot

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        if now_s != self._slot:
            self._begin(now_s)
        elif not self._queue and len(self._chosen) < len(self.last):
            self._queue = self._candidates(now_s, 2 * len(self._chosen))
        while self._queue:
            price, source = self._queue.pop()
            if may_be_visited(cards, hosts, source):
                self.paid = price
                self._chosen.append(source)
                return source
        return -1

    def _begin(self, now_s: float) -> None:
        before = np.array(self._chosen, np.int64)
        if before.size:
            self._due.visited(before)
        self._slot, self._chosen = now_s, []
        up = self._due.up(now_s, self._floor) if self._floor > 0.0 else np.zeros(0, np.int64)
        enough = max(_FEW, before.size)
        if enough <= up.size <= _SPARE * enough:
            self._queue = self._ordered(up, now_s)
        else:
            self._queue = self._candidates(now_s, enough)

    def _candidates(self, now_s: float, enough: int) -> list[tuple[float, int]]:
        """With a new floor, such that some more than `enough` reach it."""
        prices = self._sources.price(now_s - self.last)
        count = min(len(prices), _MORE * max(_FEW, enough) + len(self._chosen))
        self._floor = float(np.partition(prices, -count)[-count])
        up = self._due.up(now_s, self._floor)
        return self._ordered(np.setdiff1d(up, self._chosen), now_s)

    def _ordered(self, up: NDArray[np.int64], now_s: float) -> list[tuple[float, int]]:
        prices = some_of(self._sources, up).price(now_s - self.last[up])
        order = np.lexsort((-up, prices))
        return list(zip(prices[order].tolist(), up[order].tolist(), strict=True))
