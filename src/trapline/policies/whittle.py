"""whittle: the index policy for ephemeral sources whose parameters are known (paper `whittle`, Theorem 1).

On the continuous clock it writes offers: worth Λξ/c at rate c, the limit of the paper's price for short slots
(theory/price.py). In the paper's slots `SlottedWhittle` chooses by the exact slotted price: by age, where a source's
content is not seen between visits, and by what is there, where it is. The paper says that the index is the same for
both; at low rates it is not, and `ObservedIndex` (theory/ephemeral/observed.py) may be handed in instead.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> sources = Sources.of([EphemeralSource(250, 1.0, 0.7), EphemeralSource(250, 0.7, 0.35)])
>>> Whittle(sources).memory.round(3).tolist()  # rate, worth
[[0.7, 357.143], [0.35, 500.0]]
>>> SlottedWhittle(sources).choose(None, None, now_s=2.0)
0
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.policies.known_rate import KnownRate
from trapline.policies.slotted import Floats, SlottedChooser
from trapline.theory.ephemeral.source import Sources


class Whittle(KnownRate):
    def __init__(self, sources: Sources) -> None:
        super().__init__(np.array(sources.decay), sources.worth)


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
