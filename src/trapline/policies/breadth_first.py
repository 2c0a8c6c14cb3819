"""breadth-first: visit fringe pages in the order in which they were found.

The baseline of every crawler. Its offers are not prices (base = ∞), so where it meets a refresh policy the stated
share of the budget decides between them; among its own pages the one found first goes first.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> cards = blank_cards(3)
>>> BreadthFirst().admit(cards, np.array([0, 2]), np.zeros(2), now_s=5.0)
[0, 2]
>>> cards["not_before"].tolist(), cards["base"].tolist()
([5.0, 0.0, 5.0], [inf, -inf, inf])
"""

from __future__ import annotations

import math

from trapline.core.cards import Cards
from trapline.core.ports import Pages
from trapline.policies.card_policy import CardPolicy, Numbers
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _admit(cards: Cards, numbers: Numbers, memory: Numbers, pages: Pages, scores: Numbers, now_s: float) -> None:
    for page in pages:
        cards["base"][page] = math.inf
        cards["not_before"][page] = now_s


class BreadthFirst(CardPolicy):
    roles = frozenset({"discovery"})
    admit_kernel = staticmethod(_admit)
