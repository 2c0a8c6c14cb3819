"""whittle: the index policy for ephemeral sources whose parameters are known (paper `whittle`,
Theorem 1).

On the continuous clock it writes offers: worth Λξ/c at rate c, the limit of the paper's price for
short slots (theory/price.py). In the paper's slots `SlottedWhittle` chooses by the exact slotted
price: by age, where a source's content is not seen between visits, and by what is there, where it
is. The paper says that the index is the same for both; at low rates it is not, and `ObservedIndex`
(theory/ephemeral/observed.py) may be handed in instead.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> sources = Sources.of([EphemeralSource(250, 1.0, 0.7), EphemeralSource(250, 0.7, 0.35)])
>>> Whittle(sources).mind.pages["worth"].round(3).tolist()
[357.143, 500.0]
>>> SlottedWhittle(sources).choose(None, None, now_s=2.0)
0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from functools import partial
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards, Hosts
from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays, Seen
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.refresh.slots.due_sources import DueSources
from trapline.policies.refresh.slots.slot_chooser import (
    Floats,
    SlottedChooser,
    may_be_visited,
    sources_of,
)
from trapline.theory.ephemeral.source import Sources

if TYPE_CHECKING:
    from trapline.theory.ephemeral.observed import ObservedIndex

_FEW: Final = 16  # sources that are put in order at a time
_MORE: Final = 12  # times the visits of a slot are to reach the floor
_SPARE: Final = 128  # times as many, and the floor is too low


class Whittle(KnownRate):
    def __init__(self, sources: Sources) -> None:
        if sources.mortal:
            raise BadNumber(
                "the lifetime of items M",
                float(sources.lifetime.min()),
                "inf: an offer cannot say when content is dropped; SlottedWhittle can",
            )
        super().__init__(sources.decay, sources.ceiling, sources.cost)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(sources_of(known))


class SlottedWhittle(SlottedChooser):
    def __init__(
        self,
        sources: Sources,
        *,
        observed: NDArray[np.bool_] | None = None,
        seen: Callable[[], Floats] | None = None,
        index: Callable[[Floats], Floats] | Sequence[ObservedIndex] | None = None,
    ) -> None:
        """`observed` says which sources' content is seen in every slot, `seen()` what it is (of
        others, anything).

        `index(contents)` prices the contents of all sources, those not seen being 0; or `index[i]`
        those of source i. Without it the paper's formula does.
        """
        super().__init__(len(sources), sources.cost)
        if (observed is None) != (seen is None):
            raise BadNumber(
                "what is seen of observed sources",
                seen,
                "given together with which are observed",
            )
        self._sources = sources
        self._observed = (
            None if observed is None else np.atleast_1d(np.array(observed, np.bool_))
        )
        self._check("those said to be observed or not", self._observed)
        self._seen = seen
        if index is None:
            self._index: Callable[[Floats], Floats] = sources.price_at
        elif callable(index):
            self._index = index
        else:
            self._check("indices", index)
            self._index = partial(_each_by_its_own, list(index), self._observed)

    def prices(self, now: float) -> Floats:
        prices = self._sources.price(now - self.last)
        if self._observed is None or self._seen is None:
            return prices
        seen = np.atleast_1d(np.asarray(self._seen(), np.float64))
        self._check("contents seen", seen)
        found = np.atleast_1d(
            np.asarray(self._index(np.where(self._observed, seen, 0.0)), np.float64)
        )
        self._check("prices of contents", found)
        return np.where(self._observed, found, prices)

    def _check(self, what: str, given: Sized | None) -> None:
        if given is not None and len(given) != len(self.last):
            raise BadNumber(
                f"the number of {what}",
                len(given),
                f"{len(self.last)}, one for each source",
            )


def _each_by_its_own(
    indices: list[ObservedIndex], observed: NDArray[np.bool_] | None, contents: Floats
) -> Floats:
    prices = np.zeros(len(contents))
    for source in (
        np.arange(len(contents)) if observed is None else np.flatnonzero(observed)
    ):
        prices[source] = indices[source].price_at(contents[source])
    return prices


class ManySourcesWhittle(SlottedChooser):
    """The choices of SlottedWhittle by age, for a million sources: only those are priced whose
    price may be paid.
    """

    def __init__(self, sources: Sources) -> None:
        super().__init__(len(sources), sources.cost)
        self._sources = sources
        self._forget()

    def _forget(self) -> None:
        self._due = DueSources(self._sources, self.last)
        self._floor = 0.0
        self._queue: list[tuple[float, int]] = []  # cheapest first
        self._looked_at: list[int] = []  # in this slot
        self._settled: list[int] = []  # since it began

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        self._forget()

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        mine = super().settle(cards, page, seen)
        self._settled.extend(mine)
        return mine

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        if now_s != self._slot:
            self._begin(now_s)
        while self._queue or self._more(now_s):
            price, source = self._queue.pop()
            wanted = may_be_visited(cards, hosts, source)
            if wanted and self.costs[source] > self.purse:
                self._queue.append((price, source))  # save for it
                return -1
            self._looked_at.append(source)
            if wanted:
                self.paid = price
                return source
        return -1

    def _begin(self, now_s: float) -> None:
        enough = max(_FEW, len(self._looked_at))
        if self._settled:
            self._due.note_visit(np.unique(np.array(self._settled, np.int64)))
        self._slot = now_s
        self._looked_at = []
        self._settled = []
        up = (
            self._due.up(now_s, self._floor)
            if self._floor > 0.0
            else np.zeros(0, np.int64)
        )
        if enough <= up.size <= _SPARE * enough:
            self._queue = self._order_by_price(up, now_s)
        else:
            self._queue = self._candidates(now_s, enough)

    def _more(self, now_s: float) -> bool:
        """Whether there are any; those that may not be visited were looked at in vain."""
        if len(self._looked_at) < len(self.last):
            self._queue = self._candidates(now_s, 2 * len(self._looked_at))
        return bool(self._queue)

    def _candidates(self, now_s: float, enough: int) -> list[tuple[float, int]]:
        """With a new floor, such that some more than `enough` reach it.

        If none is new, all that are left.
        """
        prices = self._sources.price(now_s - self.last)
        count = min(len(prices), _MORE * max(_FEW, enough) + len(self._looked_at))
        self._floor = float(np.partition(prices, -count)[-count])
        new = np.setdiff1d(self._due.up(now_s, self._floor), self._looked_at)
        if not new.size:
            new = np.setdiff1d(np.arange(len(prices)), self._looked_at)
        return self._order_by_price(new, now_s)

    def _order_by_price(
        self, up: NDArray[np.int64], now_s: float
    ) -> list[tuple[float, int]]:
        prices = self._sources.part(up).price(now_s - self.last[up])
        order = np.lexsort((-up, prices))
        return list(zip(prices[order].tolist(), up[order].tolist(), strict=True))
