"""uniform: revisit held pages in turn, the one visited longest ago first (round-robin).

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> Uniform().settle(cards, 0, a_visit(age_s=9.0, now_s=7.0))
(0,)
>>> cards["base"][0], cards["not_before"][0]
(np.float32(inf), np.float64(0.0))
"""

from __future__ import annotations

import math

from trapline.core.cards import Cards
from trapline.core.ports import Pages, Seen
from trapline.policies.mind import Blank
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _settle(cards: Cards, mind: Blank, page: int, seen: Seen, others: Pages) -> int:
    # the controller has set not_before to the end of this visit
    cards["base"][page] = math.inf
    return 0


class Uniform(CardPolicy):
    settle_kernel = staticmethod(_settle)
