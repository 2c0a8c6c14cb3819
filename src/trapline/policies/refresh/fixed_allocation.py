"""Fixed allocations: each page is polled with a frequency that is settled beforehand, by fluid EDF
(automata/fluid_edf.py).

>>> import numpy as np
>>> policy = Allocation(np.array([0.6, 0.2, 0.2, 0.0]))
>>> turns = [policy.turn_kernel(policy.mind) for _ in range(100)]
>>> np.bincount(turns, minlength=4).tolist()
[60, 20, 20, 0]
"""

from __future__ import annotations

from typing import Final, Self

import numpy as np

from trapline.core.errors import BadNumber
from trapline.policies.mind import Blank
from trapline.policies.refresh.automata.automaton import Automaton, learn_nothing
from trapline.policies.refresh.automata.fluid_edf import empty_tree, plant_tree
from trapline.policies.refresh.refresh_policy import Floats, KnownPages

_FEWEST: Final = 2  # pages between which there is something to divide


class Allocation(Automaton):
    """Page i is polled in proportion to `rates[i]`; 0 means never.

    Its pages are those it was told of, for good.
    """

    laboratory_only = True
    needs_truth = True
    open_house = False
    learn_kernel = staticmethod(learn_nothing)

    def __init__(self, rates: Floats, seed: float = 0) -> None:
        self._rates = check_rates(rates)
        super().__init__(seed, Blank())
        self.seat_all(len(self._rates))

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(known.probabilities, seed=known.seed)

    def _plant(self, pages: int) -> Floats:
        return plant_tree(self._rates, self.mind.seed) if pages else empty_tree(2)


def check_rates(rates: Floats) -> Floats:
    found = np.array(rates, np.float64)
    if found.ndim != 1 or len(found) < _FEWEST:
        raise BadNumber("the number of pages", found.size, f"at least {_FEWEST}")
    bad = ~(np.isfinite(found) & (found >= 0.0))
    if bad.any():
        raise BadNumber("a polling rate", found[bad][0], "a finite number, at least 0")
    if not found.any():
        raise BadNumber("the sum of the polling rates", 0.0, "above 0")
    return found
