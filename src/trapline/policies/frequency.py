"""frequency: fixed visiting rates, found once from known parameters (Lefortier et al. 2013; `whittle`'s reference 15).

The rates are those of the relaxed optimum (theory/ephemeral/bound.py). They are kept by earliest deadline: of the
sources whose turn has come, the one goes first whose turn came first. What a source holds now does not matter to it.

>>> import numpy as np
>>> policy = Frequency(np.array([0.5, 0.25]))
>>> [policy.turn(now) for now in (2.0, 4.0)]
[0, 0]
"""

from __future__ import annotations

import numpy as np

from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays
from trapline.policies.slotted import Floats, SlottedChooser


class Frequency(SlottedChooser):
    def __init__(self, rates: Floats) -> None:
        """`rates` are visits a slot of each source; 0 = never."""
        rates = np.asarray(rates, np.float64)
        if not (np.isfinite(rates).all() and (rates >= 0.0).all()):
            raise BadNumber("a visiting rate", rates[~(np.isfinite(rates) & (rates >= 0.0))][0], "at least 0")
        super().__init__(len(rates))
        with np.errstate(divide="ignore"):
            self._gap = 1.0 / rates
        self._due = self._gap.copy()

    def prices(self, now: float) -> Floats:
        """How late a visit is, in slots. Below 0 it is early: better than not made at all."""
        return now - self._due

    def learn(self, source: int, age: float, reward: float) -> None:
        """Its next turn is one gap after this turn, not after this visit: late visits do not slow it down."""
        self._due[source] += self._gap[source]

    def turn(self, now: float) -> int:
        source = self.choose(None, None, now)
        self.learn(source, now - self.last[source], 0.0)
        return source

    def state(self) -> Arrays:
        return {**super().state(), "due": self._due}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        self._due = np.array(state["due"], np.float64)
