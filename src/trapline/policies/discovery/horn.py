"""horn: `value` with Horn's ratio as its target.

Horn (1972): on a tree the best order takes the block of largest mean relevance first. The value of
fetching a page is thus the best mean that fetching it makes possible: of itself and the most
promising of the children that it opened,

    y = max_k (r + s_1 + … + s_k)/(1 + k),   s_1 ≥ s_2 ≥ … the scores of the children newly found.

A page of no relevance that opens many good ones is worth nearly as much as they are; `value` counts
the best at half.

>>> ratio(0.0, np.array([0.9, 0.1, 0.6])), ratio(0.8, np.array([0.5])), ratio(0.3, np.zeros(0))
(0.5, 0.8, 0.3)
"""

from __future__ import annotations

import numpy as np

from trapline.core.ports import Found
from trapline.policies.discovery.discovery_policy import Floats
from trapline.policies.discovery.value import Value


def ratio(relevance: float, children: Floats) -> float:
    """The largest mean of the page and its most promising children."""
    sums = np.cumsum(np.concatenate(([relevance], np.sort(children)[::-1])))
    return float((sums / np.arange(1, len(sums) + 1)).max())


class Horn(Value):
    def __init__(self, explores: float = 0.15) -> None:
        super().__init__(explores)

    def _target(self, found: Found, scores: Floats) -> float:
        return ratio(found.relevance, np.clip(scores[found.new], 0.0, 1.0))
