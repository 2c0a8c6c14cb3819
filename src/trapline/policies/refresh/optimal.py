"""optimal: the polling frequencies that detect most, for change probabilities that it is told
(paper `htraa`, 4.3.1).

Equal weights: x_i in proportion to −ln(1 − p_i), so that polls find a change equally often
everywhere; with weights see theory/polling/allocation.py.

>>> import numpy as np
>>> Optimal(np.array([0.75, 0.5])).shares().round(4).tolist()  # −ln .25 = 2·(−ln .5)
[0.6667, 0.3333]
"""

from __future__ import annotations

from typing import Self

from trapline.policies.refresh.fixed_allocation import Allocation
from trapline.policies.refresh.refresh_policy import Floats, KnownPages
from trapline.theory.polling.allocation import best_rates


class Optimal(Allocation):
    """Pages may have weights; one of too little weight gets no polls at all."""

    weighted = True

    def __init__(
        self,
        change_probabilities: Floats,
        weights: Floats | None = None,
        seed: float = 0,
    ) -> None:
        super().__init__(best_rates(change_probabilities, weights=weights), seed)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(known.probabilities, known.weights, seed=known.seed)
