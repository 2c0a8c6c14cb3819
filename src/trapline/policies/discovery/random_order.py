"""random: any page of the fringe, all equally likely. The lower bound of `omeara`, Figure 3.

Each page is given a clock that rings an exponential time after it was found. Such clocks have no
memory, so whichever rings next is any page of the fringe with the same chance, whether found just
now or long ago (a number drawn once for each page would favour the young: the old ones are still
there because theirs was high). The time now is the ring of the page just visited, so a child's
clock is its parent's and an exponential number more. Prices do not decide: all scores are ∞, and
`since_s` = −1/clock puts the pages in order.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import links_to
>>> from trapline.core.ports import Found
>>> seeds = Found(-1, 0.0, links_to([0, 1, 2], [0, 0, 0]), np.ones(3, np.bool_))
>>> found = RandomOrder(seed=1).discover(blank_cards(3), seeds, now_s=5.0)
>>> found.scores.tolist(), found.pages[np.argsort(found.since_s)].tolist()
([inf, inf, inf], [2, 1, 0])
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber
from trapline.core.ports import Pages
from trapline.policies.discovery.edge_table import DRAWN
from trapline.policies.discovery.kernel_policy import KernelPolicy, Links, Mind
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel


class Settings(NamedTuple):
    seed: int


@bare_kernel
def _discover(mind: Mind, found: Links, scored: Pages) -> int:
    pages = mind.pages
    counts = mind.edges.counts
    count = 0
    clock = 1.0
    if found.page >= 0 and pages["since_s"][found.page] < 0.0:
        clock = -1.0 / pages["since_s"][found.page]
    for i in range(len(found.targets)):
        if found.new[i]:
            target = found.targets[i]
            counts[DRAWN] += 1
            rings = clock - math.log(mix_hash(mind.settings.seed, 0, counts[DRAWN]))
            pages["score"][target] = math.inf
            pages["since_s"][target] = -1.0 / rings
            scored[count] = target
            count += 1
    return count


class RandomOrder(KernelPolicy):
    discover_kernel = staticmethod(_discover)

    @classmethod
    def example(cls, relevance: ArrayLike, seed: int = 0) -> Self:
        return cls(seed=seed)

    def __init__(self, seed: float = 0) -> None:
        if not (seed >= 0 and float(seed).is_integer()):
            raise BadNumber("seed", seed, "a whole number, at least 0")
        super().__init__(Settings(int(seed)))

    def move_times(self, by_s: float) -> None:
        """What puts its pages in order is no time."""
