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
>>> policy = FringeGreedy(relevance=[0.5, 0.25, 0.75])
>>> policy.discover(blank_cards(3), found, now_s=1.0).scores.tolist()
[0.25, 0.75]
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.ports import Pages
from trapline.policies.discovery.kernel_policy import (
    SCORED,
    KernelPolicy,
    Links,
    Mind,
)
from trapline.theory.argument_checks import at_least_0
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _discover(mind: Mind, found: Links, scored: Pages) -> int:
    pages = mind.pages
    count = 0
    for i in range(len(found.targets)):
        if found.new[i]:
            target = found.targets[i]
            pages["score"][target] = pages["relevance"][target]
            pages["since_s"][target] = found.now_s
            scored[count] = target
            count += 1
    return count


class FringeGreedy(KernelPolicy):
    laboratory_only = True
    page_record = np.dtype([*SCORED, ("relevance", np.float64)])
    discover_kernel = staticmethod(_discover)

    def __init__(self, relevance: ArrayLike) -> None:
        super().__init__()
        known = np.atleast_1d(at_least_0("a relevance", relevance))
        self.fit(len(known))
        self.mind.pages["relevance"] = known

    @classmethod
    def example(cls, relevance: ArrayLike, seed: int = 0) -> Self:
        return cls(relevance)

    def start_over(self) -> None:
        self.mind.pages["score"] = 0.0
        self.mind.pages["since_s"] = 0.0
