"""horn: `value` with Horn's ratio as its target.

Horn (1972): on a tree the best order takes the block of largest mean relevance first. The value of
fetching a page is thus the best mean that fetching it makes possible: of itself and the most
promising of the children that it opened,

    y = max_k (r + s_1 + … + s_k)/(1 + k),   s_1 ≥ s_2 ≥ … the scores of the children newly found
    (of those that other shards fetch, the best one).

A page of no relevance that opens many good ones is worth nearly as much as they are; `value` counts
the best at half.

>>> import numpy as np
>>> from trapline.policies.discovery.value import best_mean
>>> new = np.array([True, True, True])
>>> best_mean(0.0, np.array([0.9, 0.1, 0.6]), new, 0.0)
0.5
>>> best_mean(0.3, np.zeros(0), new[:0], 0.0)
0.3
"""

from __future__ import annotations

from trapline.policies.discovery.value import Value


class Horn(Value):
    by_best_mean = True

    def __init__(self, explores: float = 0.15) -> None:
        super().__init__(explores)
