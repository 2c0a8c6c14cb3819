"""fringe-greedy: the page of the fringe first that is most relevant itself, told in advance
(laboratory).

The rival of `omeara`, Figures 3 and 5. It is an oracle: it knows the relevance of pages that nobody
has fetched, though not where they lead, and so it leaves for last the pages of little relevance
that open up others.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import links_to
>>> from trapline.core.ports import Found
>>> found = Found(0, 0.5, links_to([1, 2], [0, 0]), np.array([True, True]))
>>> FringeGreedy(relevance=[0.5, 0.25, 0.75]).discover(blank_cards(3), found, now_s=1.0).scores.tolist()
[0.25, 0.75]
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.ports import Pages
from trapline.policies.discovery.edge_table import Edges
from trapline.policies.discovery.fringe_policy import Numbers
from trapline.policies.discovery.kernel_policy import (
    COLUMNS,
    SCORE,
    SINCE,
    Flags,
    KernelPolicy,
)
from trapline.theory.argument_checks import at_least_0
from trapline.theory.kernel import bare_kernel

_TOLD: Final = COLUMNS  # the column of its relevances


@bare_kernel
def _discover(
    numbers: Numbers,
    memory: Numbers,
    edges: Edges,
    page: int,
    relevance: float,
    targets: Pages,
    new: Flags,
    now_s: float,
    pages: Pages,
) -> int:
    count = 0
    for i in range(len(targets)):
        if new[i]:
            memory[targets[i], SCORE] = memory[targets[i], _TOLD]
            memory[targets[i], SINCE] = now_s
            pages[count] = targets[i]
            count += 1
    return count


class FringeGreedy(KernelPolicy):
    laboratory_only = True
    columns = COLUMNS + 1
    discover_kernel = staticmethod(_discover)

    def __init__(self, relevance: ArrayLike) -> None:
        super().__init__()
        told = np.atleast_1d(at_least_0("a relevance", relevance))
        self.fit(len(told))
        self.memory[:, _TOLD] = told

    def start_over(self) -> None:
        self.memory[:, :_TOLD] = 0.0
