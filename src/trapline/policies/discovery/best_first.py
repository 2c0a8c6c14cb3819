"""best-first: a page of the fringe is worth what the best page is that links to it.

What is left of fringe-greedy when nobody tells the relevance of a page before it is fetched: on the
Web, pages link to their like. The score of a page is the largest relevance among its known parents
and rises when a better one is found; between equals, first come first served. Seeds have the score
1: somebody vouches for them.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import links_to
>>> from trapline.core.ports import Found
>>> policy, cards = BestFirst(), blank_cards(9)
>>> first = policy.discover(cards, Found(0, 0.25, links_to([5, 6], [0, 0]), np.array([True, True])), now_s=1.0)
>>> first.pages.tolist(), first.scores.tolist()
([5, 6], [0.25, 0.25])
>>> later = policy.discover(cards, Found(1, 0.75, links_to([6, 7], [0, 0]), np.array([False, True])), now_s=2.0)
>>> later.pages.tolist(), later.scores.tolist(), later.since_s.tolist()
([6, 7], [0.75, 0.75], [1.0, 2.0])
"""

from __future__ import annotations

from trapline.core.ports import Pages
from trapline.policies.discovery.edge_table import Edges
from trapline.policies.discovery.fringe_policy import Numbers
from trapline.policies.discovery.kernel_policy import SCORE, SINCE, Flags, KernelPolicy
from trapline.theory.kernel import bare_kernel


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
    score = relevance if page >= 0 else 1.0
    for i in range(len(targets)):
        if new[i] or score > memory[targets[i], SCORE]:
            memory[targets[i], SCORE] = score
            if new[i]:
                memory[targets[i], SINCE] = now_s
            pages[count] = targets[i]
            count += 1
    return count


class BestFirst(KernelPolicy):
    discover_kernel = staticmethod(_discover)
