"""proportional: polls in proportion to the pages' change probabilities, which it must be told
(paper `htraa`, 4.3.1).

>>> import numpy as np
>>> Proportional(np.array([0.3, 0.1])).shares().round(2).tolist()
[0.75, 0.25]
"""

from __future__ import annotations

from trapline.policies.refresh.fixed_allocation import Allocation
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.polling.allocation import proportional_rates


class Proportional(Allocation):
    """It does not weigh pages: the rule knows change probabilities only."""

    def __init__(self, change_probabilities: Floats, seed: float = 0) -> None:
        super().__init__(proportional_rates(change_probabilities), seed)
