"""best-first: a page of the fringe is worth what the best page is that links to it.

What is left of fringe-greedy when nobody tells the relevance of a page before it is fetched: on the
Web, pages link to their like. The score of a page is the largest relevance among its known parents
and rises when a better one is found; between equals, first come first served. Seeds have the score
1: somebody vouches for them.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import links_to
>>> from trapline.core.ports import Found
>>> cards = blank_cards(9)
>>> policy = BestFirst()
>>> found = Found(0, 0.25, links_to([5, 6], [0, 0]), np.array([True, True]))
>>> first = policy.discover(cards, found, now_s=1.0)
>>> first.pages.tolist(), first.scores.tolist()
([5, 6], [0.25, 0.25])
>>> found = Found(1, 0.75, links_to([6, 7], [0, 0]), np.array([False, True]))
>>> later = policy.discover(cards, found, now_s=2.0)
>>> later.pages.tolist(), later.scores.tolist(), later.since_s.tolist()
([6, 7], [0.75, 0.75], [1.0, 2.0])
"""

from __future__ import annotations

from trapline.core.ports import SEEDS, Pages
from trapline.policies.discovery.kernel_policy import KernelPolicy, Links, Mind
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _discover(mind: Mind, found: Links, scored: Pages) -> int:
    pages = mind.pages
    count = 0
    score = found.relevance if found.page != SEEDS else 1.0
    for i in range(len(found.targets)):
        target = found.targets[i]
        if found.new[i] or score > pages["score"][target]:
            pages["score"][target] = score
            if found.new[i]:
                pages["since_s"][target] = found.now_s
            scored[count] = target
            count += 1
    return count


class BestFirst(KernelPolicy):
    discover_kernel = staticmethod(_discover)
