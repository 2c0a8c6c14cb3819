"""breadth-first: visit fringe pages in the order in which they were found.

The baseline of every crawler. Its scores are not comparable by price (∞), so where it meets a
refresh policy the stated share of the budget decides between them; among its own pages the one
found first goes first.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import links_to
>>> found = Found(7, 0.5, links=links_to([0, 2], [0, 0]), new=np.array([True, False]))
>>> scores = BreadthFirst().discover(blank_cards(3), found, now_s=5.0)
>>> scores.pages.tolist(), scores.scores.tolist(), scores.since_s.tolist()
([0], [inf], [5.0])
"""

from __future__ import annotations

import math

from trapline.core.cards import Cards
from trapline.core.ports import Found, Scores
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy, scores_of


class BreadthFirst(DiscoveryPolicy):
    first_come = True

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        return scores_of(found.links["page"][found.new], math.inf, now_s)
