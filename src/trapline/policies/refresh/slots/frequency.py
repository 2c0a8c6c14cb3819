"""frequency: fixed visiting rates, found once from known parameters.

The policy of Lefortier et al. 2013 (`whittle`'s reference 15).

The rates are those of the relaxed optimum (theory/ephemeral/bound.py). They are kept by earliest
deadline: of the sources whose turn has come, the one goes first whose turn came first. What a
source holds now does not matter to it.

>>> import numpy as np
>>> policy = Frequency(np.array([0.5, 0.25]))
>>> # the turn of 0 came in slot 2, that of 1 in slot 4
>>> [policy.choose(None, None, now_s=4.0) for _ in range(2)]
[0, 1]
"""

from __future__ import annotations

from typing import Self

import numpy as np

from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.refresh.slots.slot_chooser import (
    Floats,
    SlottedChooser,
    restore_in_place,
)
from trapline.theory.polling.allocation import best_rates


class Frequency(SlottedChooser):
    def __init__(self, rates: Floats, costs: Floats | None = None) -> None:
        """`rates` are visits a slot of each source; 0 = never."""
        rates = np.asarray(rates, np.float64)
        if not (np.isfinite(rates).all() and (rates >= 0.0).all()):
            raise BadNumber(
                "a visiting rate",
                rates[~(np.isfinite(rates) & (rates >= 0.0))][0],
                "at least 0",
            )
        super().__init__(len(rates), costs)
        with np.errstate(divide="ignore"):
            self._gap = 1.0 / rates
        self._due = self._gap.copy()

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(best_rates(known.probabilities, weights=known.weights))

    def prices(self, now: float) -> Floats:
        """How late a visit is, in slots. Below 0 it is early: better than not made at all."""
        return now - self._due

    def learn(self, source: int, age: float, reward: float) -> None:
        """Its next turn is one gap after this turn, not after this visit: late visits do not slow
        it down.
        """
        self._due[source] += self._gap[source]

    def state(self) -> Arrays:
        return {**super().state(), "due": self._due.copy()}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        restore_in_place(self._due, state["due"])
